// Counts failed password checks per account and per address. A check is reserved before it is made, so that a burst of
// guesses gets no more of them than a patient attacker would. Nothing here verifies a password.
import { hash } from 'node:crypto';
import { addressKey } from '../lib/address-key.ts';
import { ServiceError } from '../lib/errors.ts';
import { createBoundedMap } from './bounded-map.ts';
import { tooManyRequests } from './refusals.ts';

/** decisions.md, section 6. */
const MAX_FAILURES = 10;
const WINDOW_MS = 15 * 60 * 1000;
const MAX_KEYS = 50_000;
const MAX_WAITING = 1_000;

interface Count {
  /** When the failures of the window happened (ms), oldest first. */
  failures: number[];
  /** Checks that are being made. */
  pending: number;
}

export interface Throttle {
  /**
   * Runs `check` if neither the account nor the address has used up its failures; otherwise 429 with `Retry-After`,
   * whatever the password. A result of false counts against both; true clears the account's count.
   */
  attempt(account: string, address: string, check: () => Promise<boolean>): Promise<boolean>;
}

export function createThrottle(now: () => Date): Throttle {
  const counts = createBoundedMap<string, Count>(MAX_KEYS, (count) => count.pending === 0);
  let waiting: (() => void)[] = [];

  function recent(key: string): Count {
    const count = counts.get(key) ?? { failures: [], pending: 0 };
    const time = now().getTime();
    // A clock that was set back must not make the wait longer than the window.
    count.failures = count.failures.filter((at) => at > time - WINDOW_MS).map((at) => Math.min(at, time));
    return count;
  }

  function refuseUsedUp(keys: string[]): void {
    for (const { failures } of keys.map(recent)) {
      const oldest = failures[0];
      if (oldest === undefined || failures.length < MAX_FAILURES) continue;
      const waitMs = oldest + WINDOW_MS - now().getTime();
      throw tooManyRequests('too many failed sign-ins, try again later', Math.max(1, Math.ceil(waitMs / 1000)));
    }
  }

  /** Waits while the checks that are being made could use up what is left; they may all be right passwords. */
  async function reserve(keys: string[]): Promise<void> {
    for (;;) {
      refuseUsedUp(keys);
      const found = keys.map((key) => ({ key, count: recent(key) }));
      if (found.every(({ count }) => count.failures.length + count.pending < MAX_FAILURES)) {
        for (const { key, count } of found) {
          count.pending += 1;
          counts.set(key, count);
        }
        return;
      }
      if (waiting.length >= MAX_WAITING) throw new ServiceError('unavailable', 'too many sign-ins at once, try again');
      await new Promise<void>((go) => waiting.push(go));
    }
  }

  function release(key: string, settle: (count: Count) => void): void {
    const count = counts.get(key) ?? { failures: [], pending: 1 };
    count.pending -= 1;
    settle(count);
    if (count.failures.length === 0 && count.pending === 0) counts.delete(key);
  }

  return {
    async attempt(account, address, check) {
      // Hashed, because an account that is tried may be a megabyte long, or a password typed into the wrong box.
      const keys = [`account ${hash('sha256', account)}`, `address ${addressKey(address)}`];
      await reserve(keys);
      let isRight: boolean | undefined;
      try {
        isRight = await check();
        return isRight;
      } finally {
        const at = now().getTime();
        for (const key of keys) {
          release(key, (count) => {
            if (isRight === false) count.failures.push(at);
            if (isRight === true && key === keys[0]) count.failures = [];
          });
        }
        const woken = waiting;
        waiting = [];
        for (const go of woken) go();
      }
    },
  };
}
