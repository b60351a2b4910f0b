// What a button does: once at a time, and if it fails the person reads why.
import { useRef } from 'preact/hooks';
import { toSentence } from '../api/sentence.ts';
import { useAdmin } from './admin.ts';

/** Resolves in any case. `key` says what is done, and to what. */
export type Act = (key: string, work: () => Promise<void>) => Promise<void>;

/** Two presses within this time mean one, though the first is done by then. */
const DOUBLE_MS = 500;

export function useAct(): Act {
  const { messages } = useAdmin();
  /** When each was begun; infinite while it runs. */
  const begun = useRef(new Map<string, number>());
  return async (key, work) => {
    const pressedMs = performance.now();
    if (pressedMs - (begun.current.get(key) ?? -DOUBLE_MS) < DOUBLE_MS) return;
    begun.current.set(key, Number.POSITIVE_INFINITY);
    try {
      await work();
    } catch (error) {
      messages.fail(toSentence(error));
    } finally {
      begun.current.set(key, pressedMs);
    }
  };
}
