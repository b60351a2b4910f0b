// A brand voice in another language. The prompt has the record as data, and no voice of its own.
import type { Ai, AiPayer } from '../ai/ai.ts';
import { markUntrusted, UNTRUSTED_RULE } from '../ai/untrusted.ts';
import { languageName } from '../lib/text/language-name.ts';
import { toRecord, VoiceRecord } from './record.ts';

/** @throws ServiceError of the model */
export async function translateRecord(
  ai: Ai,
  record: VoiceRecord,
  locale: string,
  { payer, signal }: { payer: AiPayer; signal: AbortSignal },
): Promise<VoiceRecord> {
  ai.checkReady();
  const { language: _, ...texts } = record;
  const keys = Object.keys(texts) as (keyof typeof texts)[];
  const { value } = await ai.makeObject({
    payer,
    system: [
      `You translate the description of a brand's voice into ${languageName(locale)} (${locale}).`,
      'Keep the name, the keys and the number of entries. Example phrases and keywords become what a native speaker would say.',
      UNTRUSTED_RULE,
    ].join('\n'),
    prompt: markUntrusted('the brand voice', JSON.stringify(texts)),
    schema: VoiceRecord.omit({ language: true }),
    check: (answer) => {
      const found = Object.keys(toRecord(answer));
      return [
        ...keys.filter((key) => !found.includes(key)).map((key) => `${key}: is missing`),
        ...found.filter((key) => !Object.hasOwn(texts, key)).map((key) => `${key}: must be absent`),
      ];
    },
    signal,
  });
  return { ...toRecord(value), language: locale };
}
