// Idempotency-Key for creations: the first answer again, also after a crash. The key travels in the commit's trailers
// (as digests), so what was acknowledged and what was remembered cannot differ; a view keeps the last 24 hours of them.
import { createHash } from 'node:crypto';
import type { Decisions, Unsettled } from '../lib/decisions.ts';
import { ServiceError } from '../lib/errors.ts';

export const REMEMBERED_MS = 24 * 3600_000;

/** Digests: of principal, method, path and key, and of the body. */
export interface RequestKey {
  scope: string;
  bodyDigest: string;
}

export interface RememberedAnswer {
  /** Blob id of the document as it was created. */
  blob: string;
  /** The answer itself, where it is at hand; else it is made from the blob. */
  body?: Buffer;
  commit: string;
  atMs: number;
}

export interface IdempotencyKeys {
  /**
   * The remembered answer, or undefined for a new key, which then counts as running until `remember` or `release`.
   * @throws 422 for another body, 409 while the first request is still running.
   */
  begin(key: RequestKey, nowMs: number): RememberedAnswer | undefined;
  release(key: RequestKey): void;
  remember(key: RequestKey, answer: RememberedAnswer): void;
}

/** Digests only, so that no key can be read in the repository; half a SHA-256 is long enough to be unique. */
export function toRequestKey({ scope, bodyDigest }: { scope: string; bodyDigest: string }): RequestKey {
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { scope: digest(scope), bodyDigest: digest(bodyDigest) };
}

/** The value of the commit's trailer. */
export function toTrailer({ scope, bodyDigest }: RequestKey, blob: string): string {
  return `${scope} ${bodyDigest} ${blob}`;
}

export function parseTrailer(value: string): (RequestKey & { blob: string }) | undefined {
  const match = /^([0-9a-f]{32}) ([0-9a-f]{32}) ([0-9a-f]{40})$/.exec(value);
  return match ? { scope: match[1]!, bodyDigest: match[2]!, blob: match[3]! } : undefined;
}

export function createIdempotencyKeys({ begin: beginChange }: Pick<Decisions, 'begin'>): IdempotencyKeys {
  const known = new Map<string, RememberedAnswer & { bodyDigest: string }>();
  const running = new Map<string, { bodyDigest: string; change: Unsettled }>();

  /** Entries are in the order of their time, so the old ones are at the front. */
  function forgetOld(nowMs: number): void {
    for (const [scope, { atMs }] of known) {
      if (atMs > nowMs - REMEMBERED_MS) break;
      known.delete(scope);
    }
  }

  return {
    begin({ scope, bodyDigest }, nowMs) {
      forgetOld(nowMs);
      const answer = known.get(scope);
      const first = running.get(scope);
      const digest = answer?.bodyDigest ?? first?.bodyDigest;
      if (digest !== undefined && digest !== bodyDigest) {
        // A first request that is refused in the end used no key.
        first?.change.see();
        throw new ServiceError('idempotency_mismatch', 'Idempotency-Key was used with another body');
      }
      if (answer) return answer;
      if (digest !== undefined) {
        throw new ServiceError('in_progress', 'the first request with this Idempotency-Key is still running');
      }
      running.set(scope, { bodyDigest, change: beginChange() });
      return undefined;
    },
    release({ scope }) {
      running.get(scope)?.change.fail();
      running.delete(scope);
    },
    remember({ scope, bodyDigest }, answer) {
      running.get(scope)?.change.settle();
      running.delete(scope);
      known.delete(scope);
      known.set(scope, { ...answer, bodyDigest });
    },
  };
}
