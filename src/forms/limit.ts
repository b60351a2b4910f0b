// Limits the submissions of an address to a form in an hour (interface.md, "Limits"). Counts by the address hash that
// is stored with each submission, so that the counts can be restored from the files after a restart.
import { ServiceError } from '../lib/errors.ts';

export const WINDOW_MS = 3600_000;

export interface SubmitLimit {
  /** Sets a form's past submissions. Call it once for each form, before anything is counted. */
  load(form: string, past: readonly CountedSubmission[]): void;
  isLoaded(form: string): boolean;
  /** @throws ServiceError 429 with `Retry-After` if the address has used up its submissions. */
  check(form: string, ipHash: string, max: number): void;
  /** Checks the limit and counts a submission in one step. Returns a function that takes it off again. */
  reserve(form: string, ipHash: string, max: number): () => void;
}

export interface CountedSubmission {
  ipHash: string;
  atMs: number;
}

const SWEEP_MS = 10 * 60_000;

export function createSubmitLimit(now: () => Date): SubmitLimit {
  /** Times of submissions by form and hash, oldest first. Old ones are removed by reads and by `sweep`. */
  const forms = new Map<string, Map<string, number[]>>();
  let sweptMs = 0;

  function timesOf(form: string, ipHash: string): number[] {
    const nowMs = now().getTime();
    const times = forms.get(form)?.get(ipHash) ?? [];
    // A clock that was set back must not make the wait longer than the hour.
    return times.filter((atMs) => atMs > nowMs - WINDOW_MS).map((atMs) => Math.min(atMs, nowMs));
  }

  function put(form: string, ipHash: string, times: number[]): void {
    const addresses = forms.get(form) ?? new Map<string, number[]>();
    forms.set(form, addresses);
    if (times.length > 0) addresses.set(ipHash, times);
    else addresses.delete(ipHash);
  }

  function sweep(): void {
    const nowMs = now().getTime();
    if (Math.abs(nowMs - sweptMs) < SWEEP_MS) return;
    sweptMs = nowMs;
    for (const [form, addresses] of forms) {
      for (const ipHash of addresses.keys()) put(form, ipHash, timesOf(form, ipHash));
    }
  }

  function check(form: string, ipHash: string, max: number): void {
    const times = timesOf(form, ipHash);
    if (times.length < max) return;
    // The next is allowed once the oldest of the last `max` is an hour old.
    const waitMs = times[times.length - max]! + WINDOW_MS - now().getTime();
    throw new ServiceError('too_many_requests', 'too many submissions from this address; try again later', {
      headers: { 'Retry-After': String(Math.max(1, Math.ceil(waitMs / 1000))) },
    });
  }

  return {
    load(form, past) {
      const addresses = new Map<string, number[]>();
      for (const { ipHash, atMs } of past.toSorted((a, b) => a.atMs - b.atMs)) {
        const times = addresses.get(ipHash) ?? [];
        times.push(atMs);
        addresses.set(ipHash, times);
      }
      forms.set(form, addresses);
    },
    isLoaded: (form) => forms.has(form),
    check,
    reserve(form, ipHash, max) {
      check(form, ipHash, max);
      sweep();
      const atMs = now().getTime();
      put(form, ipHash, [...timesOf(form, ipHash), atMs]);
      return () => {
        const times = timesOf(form, ipHash);
        const index = times.lastIndexOf(Math.min(atMs, now().getTime()));
        put(form, ipHash, times.toSpliced(index < 0 ? times.length : index, 1));
      };
    },
  };
}
