// Idempotency-Key for creations: repeats the first answer, even after a crash. The key travels in the commit's trailers
// (as digests), so that what is acknowledged and what is remembered cannot differ; a view has the keys of the last 24
// hours, and the answer itself is the document's blob in the repository.
import { hash } from 'node:crypto';
import { ServiceError } from '../../lib/errors.ts';
import type { Decisions, Unsettled } from '../../lib/queues/decisions.ts';
import { KeyRecords } from './key-records.ts';

export const REMEMBERED_MS = 24 * 3600_000;

/** Scope (principal, method, path and key) and digest of the body, as the request has them. */
export interface Idempotency {
  scope: string;
  bodyDigest: string;
}

/** Two digests: `scope` of principal, method, path and key; the other of the body. */
export interface RequestKey {
  scope: string;
  bodyDigest: string;
}

export interface RememberedAnswer {
  /** Blob id of the document as it was answered. */
  blob: string;
  commit: string;
}

export interface IdempotencyKeys {
  /**
   * Returns the remembered answer; undefined for a new key; or `unsure` if only the log can show whether it is new. A
   * key without a remembered answer then counts as running until `remember` or `release`.
   * @throws 422 for another body, 409 while the first request is still running.
   */
  begin(key: RequestKey, nowMs: number): RememberedAnswer | 'unsure' | undefined;
  release(key: RequestKey): void;
  /** @throws 422 if the key was remembered with another body. */
  check(key: RequestKey, nowMs: number): void;
  remember(key: RequestKey, answer: RememberedAnswer, nowMs: number): void;
  /** Adds a key at a start, from the newest to the oldest; `atMs` is when it was answered. */
  recall(key: RequestKey, answer: RememberedAnswer, atMs: number): void;
}

/** Digests only, so that no key can be read in the repository; half a SHA-256 is long enough to be unique. */
export function toRequestKey({ scope, bodyDigest }: Idempotency): RequestKey {
  const digest = (text: string): string => hash('sha256', text).slice(0, 32);
  return { scope: digest(scope), bodyDigest: digest(bodyDigest) };
}

/** Stands in a trailer for an answer that is no document: that of a deletion. */
export const NO_BLOB = '0'.repeat(40);

/** The value of the commit's trailer. */
export function toTrailer({ scope, bodyDigest }: RequestKey, blob: string): string {
  return `${scope} ${bodyDigest} ${blob}`;
}

export function parseTrailer(value: string): (RequestKey & { blob: string }) | undefined {
  const match = /^([0-9a-f]{32}) ([0-9a-f]{32}) ([0-9a-f]{40})$/.exec(value);
  return match ? { scope: match[1]!, bodyDigest: match[2]!, blob: match[3]! } : undefined;
}

/** Times are of a monotonic clock: a system clock that is set ahead must not let a request run twice. */
export function createIdempotencyKeys(
  { begin: beginChange }: Pick<Decisions, 'begin'>,
  known = new KeyRecords(),
): IdempotencyKeys {
  const running = new Map<string, { bodyDigest: string; change: Unsettled }>();

  return {
    begin({ scope, bodyDigest }, nowMs) {
      known.forgetUntil(nowMs - REMEMBERED_MS);
      const found = known.find(scope);
      const answer = found && found.bornMs > nowMs - REMEMBERED_MS ? found : undefined;
      const first = running.get(scope);
      const digest = answer?.bodyDigest ?? first?.bodyDigest;
      if (digest !== undefined && digest !== bodyDigest) {
        // This refusal rests on the first request: if that is refused in the end, it has not used the key.
        first?.change.see();
        throw otherBody();
      }
      if (answer) return answer;
      if (digest !== undefined) {
        throw new ServiceError('in_progress', 'the first request with this Idempotency-Key is still running');
      }
      running.set(scope, { bodyDigest, change: beginChange() });
      return known.mayHaveOlder(scope) ? 'unsure' : undefined;
    },
    check({ scope, bodyDigest }, nowMs) {
      const found = known.find(scope);
      if (found && found.bornMs > nowMs - REMEMBERED_MS && found.bodyDigest !== bodyDigest) throw otherBody();
    },
    release({ scope }) {
      running.get(scope)?.change.fail();
      running.delete(scope);
    },
    remember({ scope, bodyDigest }, { blob, commit }, nowMs) {
      running.get(scope)?.change.settle();
      running.delete(scope);
      known.add(scope, { bodyDigest, blob, commit, bornMs: nowMs });
    },
    recall({ scope, bodyDigest }, { blob, commit }, atMs) {
      known.addOlder(scope, { bodyDigest, blob, commit, bornMs: atMs });
    },
  };
}

export function otherBody(): ServiceError {
  return new ServiceError('idempotency_mismatch', 'Idempotency-Key was used with another body');
}
