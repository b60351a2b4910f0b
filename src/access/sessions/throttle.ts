// Counts failed password checks: for the pair of account and address, for the address, for the account, and for a
// browser that has signed in before. Each check is reserved before it runs, so that a burst of guesses gets no more
// checks than a patient attacker would. Does not verify passwords itself.
import { hash } from 'node:crypto';
import { addressKey } from '../../lib/address-key.ts';
import { ServiceError } from '../../lib/errors.ts';
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import type { ElapsedMs } from '../../lib/time/elapsed.ts';
import { tooManyRequests } from '../refusals.ts';

/** decisions.md, section 12. */
const MAX_OF_PAIR = 10;
const MAX_OF_ADDRESS = 50;
const MAX_OF_ACCOUNT = 100;
const MAX_OF_DEVICE = 10;
const WINDOW_MS = 15 * 60 * 1000;
const MAX_KEYS = 50_000;
const MAX_WAITING = 1_000;

/** An attempt at the password of `account`. */
export interface Attempt {
  account: string;
  address: string;
  /** The browser's id, if the account's user has signed in with it before. */
  device?: string | undefined;
}

/** A count of failures, and its limit. */
interface Bucket {
  key: string;
  max: number;
}

interface Count {
  /** When the failures of the window happened (ms), oldest first. */
  failures: number[];
  /** Checks that are running. */
  pending: number;
}

export interface Throttle {
  /**
   * Runs `check` unless one of the attempt's counts is used up: then 429 with `Retry-After`, whatever the password. A
   * result of false adds to every count; true clears the count of the pair, or of the device.
   */
  attempt(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean>;
}

/**
 * The most specific first. A device has a count of its own, which strangers cannot fill. All devices of an account
 * share another, because a person who once knew the password may have made many.
 */
function bucketsOf({ account, address, device }: Attempt): Bucket[] {
  // Hashed, because the typed account may be long, or a password in the wrong field.
  const tried = hash('sha256', account);
  const from = addressKey(address);
  if (device !== undefined) {
    return [
      { key: `device ${tried} ${device}`, max: MAX_OF_DEVICE },
      { key: `devices ${tried}`, max: MAX_OF_ACCOUNT },
    ];
  }
  return [
    { key: `pair ${tried} ${from}`, max: MAX_OF_PAIR },
    { key: `address ${from}`, max: MAX_OF_ADDRESS },
    { key: `account ${tried}`, max: MAX_OF_ACCOUNT },
  ];
}

export function createThrottle(elapsedMs: ElapsedMs): Throttle {
  const counts = createBoundedMap<string, Count>(MAX_KEYS, (count) => count.pending === 0);
  let waiting: (() => void)[] = [];

  function recent(key: string): Count {
    const count = counts.get(key) ?? { failures: [], pending: 0 };
    const time = elapsedMs();
    count.failures = count.failures.filter((at) => at > time - WINDOW_MS);
    return count;
  }

  function refuseUsedUp(buckets: Bucket[]): void {
    const waitsMs = buckets.map(({ key, max }) => {
      const { failures } = recent(key);
      const first = failures[failures.length - max];
      return first === undefined ? 0 : first + WINDOW_MS - elapsedMs();
    });
    const waitMs = Math.max(...waitsMs);
    if (waitMs <= 0) return;
    throw tooManyRequests('too many failed sign-ins; try again later', Math.max(1, Math.ceil(waitMs / 1000)));
  }

  /** Waits while the running checks could use up a count; they may all turn out to be right passwords. */
  async function reserve(buckets: Bucket[]): Promise<void> {
    for (;;) {
      refuseUsedUp(buckets);
      const found = buckets.map(({ key, max }) => ({ key, max, count: recent(key) }));
      if (found.every(({ count, max }) => count.failures.length + count.pending < max)) {
        for (const { key, count } of found) {
          count.pending += 1;
          counts.set(key, count);
        }
        return;
      }
      if (waiting.length >= MAX_WAITING) throw new ServiceError('unavailable', 'too many sign-ins at once; try again');
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
    async attempt(attempt, check) {
      const buckets = bucketsOf(attempt);
      await reserve(buckets);
      let isRight: boolean | undefined;
      try {
        isRight = await check();
        return isRight;
      } finally {
        const at = elapsedMs();
        for (const [index, { key }] of buckets.entries()) {
          release(key, (count) => {
            if (isRight === false) count.failures.push(at);
            if (isRight === true && index === 0) count.failures = [];
          });
        }
        const woken = waiting;
        waiting = [];
        for (const go of woken) go();
      }
    },
  };
}
