import { type Kept, useKept } from '../../shell/use-kept.ts';
import type { TypedVoice } from './voice-record.ts';

/** The form of the voice as it was typed and not saved. */
export function useKeptVoice(): Kept {
  return useKept('voice');
}

export function readVoice(kept: Kept): TypedVoice | undefined {
  const text = kept.read();
  return text === null ? undefined : (JSON.parse(text) as TypedVoice);
}
