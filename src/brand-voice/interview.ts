// The guided interview: the model asks, a person answers, and at the end the model gives the record as JSON. It is saved
// when all of it has arrived and fits; until then nothing is.

import { z } from 'zod';
import type { Ai, AiMessage, AiPayer, AiTool, TokenUse } from '../ai/ai.ts';
import { parseInput } from '../lib/parse-input.ts';
import { checkSaysSomething, VoiceRecord, type VoiceVersion } from './record.ts';

export type InterviewEvent =
  | { type: 'begin' }
  | { type: 'text'; text: string }
  | { type: 'saved'; version: VoiceVersion }
  | { type: 'done'; used: TokenUse };

const TOOL = 'save_brand_voice';
/** The record may be wrong twice; then the person is asked again. */
const MAX_STEPS = 3;

const SYSTEM = [
  'You interview a person about the voice of their brand, in the language that the person writes.',
  'Ask one short question at a time: name and industry, what they do, audience, language, tone in one sentence,',
  '3 to 5 adjectives of the personality, goals and pillars of their content, what to avoid, SEO keywords, example phrases.',
  'Propose answers from what you know already. After at most 10 questions, or when the person asks you to finish,',
  `call ${TOOL} once with the whole record. Leave out what you do not know. "language" is a tag such as en or pt-BR.`,
].join('\n');

const BEGIN: AiMessage = { role: 'user', content: 'Begin the interview.' };

export interface InterviewParts {
  ai: Ai;
  payer: AiPayer;
  save(record: VoiceRecord): Promise<VoiceVersion>;
}

/** @throws ServiceError of the model, and the signal's reason; nothing is saved then */
export async function* interview(
  { ai, payer, save }: InterviewParts,
  messages: readonly AiMessage[],
  signal: AbortSignal,
): AsyncGenerator<InterviewEvent> {
  let record: VoiceRecord | undefined;
  const used = { inputTokens: 0, outputTokens: 0 };
  const { $schema: _, ...inputSchema } = z.toJSONSchema(VoiceRecord, { io: 'input' });
  const tool: AiTool = {
    name: TOOL,
    description: 'Ends the interview with the record of the brand voice.',
    inputSchema,
    run: async (input) => {
      record = checkSaysSomething(parseInput(VoiceRecord, input));
      return { ok: true };
    },
  };
  // A provider may refuse a conversation that does not begin with a person.
  const conversation = messages[0]?.role === 'user' ? messages : [BEGIN, ...messages];
  for await (const event of ai.converse({
    payer,
    system: SYSTEM,
    messages: conversation,
    tools: [tool],
    maxSteps: MAX_STEPS,
    signal,
  })) {
    if (event.type === 'begin') yield event;
    if (event.type === 'text') yield { type: 'text', text: event.text };
    if (event.type === 'step') {
      used.inputTokens += event.used.inputTokens;
      used.outputTokens += event.used.outputTokens;
    }
    // The record is complete: whatever the model would add has no reader.
    if (event.type === 'tool_result' && record) break;
  }
  if (record) {
    signal.throwIfAborted();
    yield { type: 'saved', version: await save(record) };
  }
  yield { type: 'done', used };
}
