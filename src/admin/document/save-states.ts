// The states of saving that say no more than their name.
import type { SaveState } from './open-document.ts';

/** The same state is the same object, so that a key draws nothing again that shows it. */
export const STATES = {
  saved: { kind: 'saved' },
  unsaved: { kind: 'unsaved', isKept: true },
  unkept: { kind: 'unsaved', isKept: false },
  saving: { kind: 'saving' },
  conflict: { kind: 'conflict' },
} as const satisfies Record<string, SaveState>;
