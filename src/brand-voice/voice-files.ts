// The files of the voice: `brand-voice.json` with all versions, and a flat file for each locale that it was translated
// into. Read once, then kept in memory: prompts ask for the voice all the time.
import { z } from 'zod';
import type { DataFolder } from '../data/data-folder.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { parseStoredJson } from '../lib/stored-json.ts';
import { VoiceRecord, VoiceVersion } from './record.ts';

export const VoiceHistory = z.object({
  activeId: z.string().nullable(),
  /** Replaced by each save, activation and edit of the active version: translations of another stamp are stale. */
  stamp: z.string(),
  versions: z.array(VoiceVersion),
});
export type VoiceHistory = z.output<typeof VoiceHistory>;

export const TranslatedVoice = z.object({
  ...VoiceRecord.shape,
  stamp: z.string(),
  translatedAt: z.string(),
  model: z.string().nullable(),
});
export type TranslatedVoice = z.output<typeof TranslatedVoice>;

export interface VoiceFiles {
  history(): Promise<VoiceHistory>;
  /** One change after another; a change that throws leaves everything as it was. */
  change<R>(decide: (history: VoiceHistory) => readonly [VoiceHistory, R]): Promise<R>;
  translated(locale: string): Promise<TranslatedVoice | undefined>;
  writeTranslated(locale: string, voice: TranslatedVoice): Promise<void>;
  /** Reads the files again after something else changed them (a restored backup). */
  reload(): void;
}

const FILE = 'brand-voice.json';
const EMPTY: VoiceHistory = { activeId: null, stamp: '', versions: [] };

const fileOf = (locale: string): string => `brand-voice-${locale}.json`;

/** `changed` is called with the versions as they are then, once they are durable. */
export function createVoiceFiles(
  data: DataFolder,
  warn: (message: string) => void,
  changed: (history: VoiceHistory) => void,
): VoiceFiles {
  const inOrder = createInOrder();
  let history: Promise<VoiceHistory> | undefined;
  const translations = new Map<string, TranslatedVoice>();

  /** @throws Error if the file is damaged: a save must not replace versions that it could not read */
  async function load(): Promise<VoiceHistory> {
    const bytes = await data.read(FILE);
    if (!bytes) return EMPTY;
    const found = parseStoredJson(VoiceHistory, bytes);
    if (!found) throw new Error(`file "_data/${FILE}" is damaged: restore it from a backup, or move it away`);
    return found;
  }

  function read(): Promise<VoiceHistory> {
    history ??= load().catch((error) => {
      history = undefined;
      throw error;
    });
    return history;
  }

  return {
    history: read,
    change: (decide) =>
      inOrder(async () => {
        const before = await read();
        const [next, result] = decide(before);
        if (next !== before) {
          await data.write(FILE, `${JSON.stringify(next, null, 2)}\n`);
          history = Promise.resolve(next);
          changed(next);
        }
        return result;
      }),
    async translated(locale) {
      const known = translations.get(locale);
      if (known) return known;
      const bytes = await data.read(fileOf(locale));
      if (!bytes) return undefined;
      const found = parseStoredJson(TranslatedVoice, bytes);
      if (found) translations.set(locale, found);
      else warn(`file "_data/${fileOf(locale)}" is damaged; the brand voice is translated again`);
      return found;
    },
    async writeTranslated(locale, voice) {
      await data.write(fileOf(locale), `${JSON.stringify(voice, null, 2)}\n`);
      translations.set(locale, voice);
    },
    reload() {
      history = undefined;
      translations.clear();
    },
  };
}
