// One question to a model at a time: it goes on while one looks elsewhere, can be taken back, and ends with the document.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export type AskingState<T> =
  | { kind: 'idle' }
  | { kind: 'running' }
  | { kind: 'failed'; error: unknown }
  | { kind: 'done'; answer: T };

export interface Asking<T> {
  state: AskingState<T>;
  /** Undefined as an answer: nobody waits for it any more. */
  start(ask: (signal: AbortSignal) => Promise<T | undefined>): void;
  stop(): void;
}

/** `scope` is what the question is about: it ends when that is another one. */
export function useAsking<T>(scope: unknown): Asking<T> {
  const state = useSignal<AskingState<T>>({ kind: 'idle' });
  const asking = useRef<AbortController | undefined>(undefined);
  const stop = (): void => {
    asking.current?.abort();
    state.value = { kind: 'idle' };
  };
  useEffect(() => stop, [scope]);

  async function run(ask: (signal: AbortSignal) => Promise<T | undefined>): Promise<void> {
    stop();
    const { signal } = (asking.current = new AbortController());
    state.value = { kind: 'running' };
    try {
      const answer = await ask(signal);
      if (!signal.aborted) state.value = answer === undefined ? { kind: 'idle' } : { kind: 'done', answer };
    } catch (error) {
      if (!signal.aborted) state.value = { kind: 'failed', error };
    }
  }

  return { state: state.value, start: (ask) => void run(ask), stop };
}
