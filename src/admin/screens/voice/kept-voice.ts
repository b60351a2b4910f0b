import { type Kept, useKept } from '../../shell/use-kept.ts';

/** What was typed about the voice and not saved. */
export function useKeptVoice(): Kept {
  return useKept('voice-edits');
}
