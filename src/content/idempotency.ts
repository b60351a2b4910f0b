// Idempotency-Key for creations: the first answer again, also after a crash. The key travels in the commit's trailers
// (as digests), so what was acknowledged and what was remembered cannot differ; a view keeps the last 24 hours of them.
import { createHash } from 'node:crypto';
import { ServiceError } from '../lib/errors.ts';

export const REMEMBERED_MS = 24 * 3600_000;

export interface RememberedAnswer {
  bodyDigest: string;
  /** Blob id of the document as it was created. */
  blob: string;
  commit: string;
  atMs: number;
}

export interface IdempotencyKeys {
  /**
   * The remembered answer, or undefined for a new key, which then counts as running until `remember` or `release`.
   * @throws 422 for another body, 409 while the first request is still running.
   */
  begin(scope: string, bodyDigest: string, nowMs: number): RememberedAnswer | undefined;
  release(scope: string): void;
  remember(scope: string, answer: RememberedAnswer): void;
}

/** The trailer's value for a request: digests only, so that no key can be read in the repository. */
export function toTrailer(scope: string, bodyDigest: string): string {
  const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);
  return `${short(scope)} ${short(bodyDigest)}`;
}

export function parseTrailer(value: string): { scope: string; bodyDigest: string } | undefined {
  const match = /^([0-9a-f]{32}) ([0-9a-f]{32})$/.exec(value);
  return match ? { scope: match[1]!, bodyDigest: match[2]! } : undefined;
}

export function createIdempotencyKeys(): IdempotencyKeys {
  const known = new Map<string, RememberedAnswer>();
  const running = new Map<string, string>();

  /** Entries are in the order of their time, so the old ones are at the front. */
  function forgetOld(nowMs: number): void {
    for (const [scope, { atMs }] of known) {
      if (atMs > nowMs - REMEMBERED_MS) break;
      known.delete(scope);
    }
  }

  return {
    begin(scope, bodyDigest, nowMs) {
      forgetOld(nowMs);
      const answer = known.get(scope);
      const digest = answer?.bodyDigest ?? running.get(scope);
      if (digest !== undefined && digest !== bodyDigest) {
        throw new ServiceError('idempotency_mismatch', 'Idempotency-Key was used with another body');
      }
      if (answer) return answer;
      if (digest !== undefined) {
        throw new ServiceError('in_progress', 'the first request with this Idempotency-Key is still running');
      }
      running.set(scope, bodyDigest);
      return undefined;
    },
    release: (scope) => void running.delete(scope),
    remember(scope, answer) {
      running.delete(scope);
      known.delete(scope);
      known.set(scope, answer);
    },
  };
}
