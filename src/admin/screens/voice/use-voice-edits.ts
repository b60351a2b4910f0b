// What is typed about the voice, on top of the version that is active: what is untouched follows it, and what another
// version says as well is to be decided before it is saved.
import { useRef, useState } from 'preact/hooks';
import {
  clashesOf,
  editForm,
  type FormEdits,
  onTopOf,
  parseFormEdits,
  toKeptEdits,
  withFormEdits,
} from '../../ai/form-edits.ts';
import { isMoved } from '../../api/client.ts';
import { t } from '../../text/translate.ts';
import { useKeptVoice } from './kept-voice.ts';
import { type TypedVoice, toTypedVoice, type VoicePart, type VoiceVersion } from './voice-record.ts';

export interface VoiceStore {
  /** Asks the service for what is active there now; without an answer, what was read last. */
  read(): Promise<{ active: VoiceVersion | undefined; etag: string | undefined }>;
  /** @throws ApiError 412 if `etag` is not of the present versions */
  save(typed: TypedVoice, etag: string | undefined): Promise<void>;
}

export interface EditedVoice {
  /** As on the screen. */
  typed: TypedVoice;
  /** The active version. */
  stored: TypedVoice;
  /** Parts that are not as they were when one began to change them. */
  clashes: readonly VoicePart[];
  set(part: VoicePart, text: string): void;
  keepMine(part: VoicePart): void;
  takeTheirs(part: VoicePart): void;
  discard(): void;
  /** @throws as the store, and Error while there is something to decide */
  save(): Promise<void>;
}

type VoiceEdits = FormEdits<TypedVoice>;

export function useVoiceEdits(active: VoiceVersion | undefined, { read, save }: VoiceStore): EditedVoice {
  const kept = useKeptVoice();
  const [edits, setEdits] = useState<VoiceEdits>(() => parseFormEdits(kept.read()));
  const latest = useRef(edits);
  const stored = toTypedVoice(active ?? {});

  function change(next: VoiceEdits): void {
    latest.current = next;
    setEdits(next);
    kept.keep(toKeptEdits(next));
  }

  async function send(isAgain: boolean): Promise<void> {
    const { active: now, etag } = await read();
    const found = toTypedVoice(now ?? {});
    if (clashesOf(latest.current, found).length > 0) throw new Error(t('voice.clash'));
    try {
      await save(withFormEdits(found, latest.current), etag);
    } catch (error) {
      // Another person saved in the moment since it was read.
      if (isAgain || !isMoved(error)) throw error;
      await send(true);
    }
  }

  const without = (part: VoicePart): VoiceEdits => {
    const { [part]: _, ...others } = latest.current;
    return others;
  };
  return {
    ...{ stored, typed: withFormEdits(stored, edits), clashes: clashesOf(edits, stored) },
    set: (part, text) => change(editForm(latest.current, { [part]: text }, stored)),
    keepMine: (part) => change({ ...latest.current, ...onTopOf(stored, { [part]: latest.current[part] }) }),
    takeTheirs: (part) => change(without(part)),
    discard: () => change({}),
    save: () => send(false),
  };
}
