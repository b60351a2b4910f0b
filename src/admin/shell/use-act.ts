// What a button does: once at a time, and if it fails the person reads why.
import { useRef } from 'preact/hooks';
import { toSentence } from '../api/sentence.ts';
import { useAdmin } from './admin.ts';

/** Resolves in any case. `key` says what is done, and to what. */
export type Act = (key: string, work: () => Promise<void>) => Promise<void>;

export function useAct(): Act {
  const { messages } = useAdmin();
  const running = useRef(new Set<string>());
  return async (key, work) => {
    if (running.current.has(key)) return;
    running.current.add(key);
    try {
      await work();
    } catch (error) {
      messages.fail(toSentence(error));
    } finally {
      running.current.delete(key);
    }
  };
}
