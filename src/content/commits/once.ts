// Runs a write once for its Idempotency-Key, or repeats the answer to the first request with that key.

import { ServiceError } from '../../lib/errors.ts';
import type { Decisions } from '../../lib/queues/decisions.ts';
import type { BulkOutcome, BulkResult, WriteOptions, WrittenDocument } from '../api.ts';
import type { StoredDocument } from '../document.ts';
import { toBodyBytes } from '../stored.ts';
import {
  type Idempotency,
  type IdempotencyKeys,
  NO_BLOB,
  otherBody,
  type RememberedAnswer,
  type RequestKey,
  toRequestKey,
} from './idempotency.ts';
import type { FoundKey } from './recent-keys.ts';

export interface OnceParts {
  keys: IdempotencyKeys;
  decisions: Decisions;
  /** Resolves once the keys of the last 24 hours are known (they are read from the log after a start). */
  keysReady: Promise<void>;
  /** Looks in the log for keys that are no longer kept in memory; returns them by scope. */
  findKeysInLog(scopes: ReadonlySet<string>): Promise<Map<string, FoundKey>>;
  /** Whether a blob can be read, including blobs of changes that git does not have yet. */
  hasBlob(oid: string): boolean;
  readBlob(oid: string): Buffer;
  /** The document in a file that a commit wrote. */
  readVersion(answer: RememberedAnswer): Promise<StoredDocument | undefined>;
  elapsedMs(): number;
}

/** Keys that count as running, with the answers of those that were answered before. */
interface Begun {
  answers: readonly (RememberedAnswer | undefined)[];
  release(): void;
}

export interface Once {
  /** One document. */
  write(options: WriteOptions | undefined, run: () => Promise<WrittenDocument>): Promise<WrittenDocument>;
  /** Many documents in one commit, whose answer it keeps. */
  all(request: Idempotency | undefined, run: () => Promise<BulkOutcome>): Promise<BulkOutcome>;
  /**
   * Many commits, each with a key of its own: what a crash interrupted goes on. `run` gets the answers that there are,
   * and the key of an operation.
   */
  each(
    request: Idempotency | undefined,
    count: number,
    run: (answers: readonly (WrittenDocument | undefined)[], keyOf: KeyOf) => Promise<BulkResult[]>,
  ): Promise<BulkOutcome>;
}

export type KeyOf = (operation: number) => WriteOptions['idempotency'];

/** The most operations of one request: another body may have had more of them. */
export const MOST_KEYS = 500;

export function createOnce(parts: OnceParts): Once {
  const { keys, decisions, keysReady, findKeysInLog, hasBlob, readBlob, readVersion, elapsedMs } = parts;

  function checkKept({ blob, commit }: RememberedAnswer): void {
    if (hasBlob(blob)) return;
    throw new ServiceError(
      'conflict',
      `this Idempotency-Key made commit ${commit}, whose answer the repository does not have any more`,
    );
  }

  async function answerAgain({ blob, commit }: RememberedAnswer): Promise<WrittenDocument> {
    if (blob === NO_BLOB) return { body: Buffer.alloc(0), etag: '', commit, replayed: true };
    checkKept({ blob, commit });
    const doc = await readVersion({ blob, commit });
    if (!doc) throw new Error(`remembered document ${blob} cannot be read`);
    return { body: toBodyBytes(doc), etag: `"${blob}"`, commit, replayed: true };
  }

  function beginAll(wanted: readonly RequestKey[], others: readonly RequestKey[]) {
    const begun: RequestKey[] = [];
    try {
      for (const key of others) keys.check(key, elapsedMs());
      return wanted.map((key) => {
        const first = keys.begin(key, elapsedMs());
        if (!first || first === 'unsure') begun.push(key);
        return first;
      });
    } catch (error) {
      begun.forEach(keys.release);
      throw error;
    }
  }

  /** @throws 422 if one of them was used with another body, 409 while one of them is running. */
  async function begin(wanted: readonly RequestKey[], others: readonly RequestKey[] = []): Promise<Begun> {
    await keysReady;
    const found = await decisions.decide(() => beginAll(wanted, others));
    const release = (): void => {
      for (const [i, key] of wanted.entries()) if (!found[i] || found[i] === 'unsure') keys.release(key);
    };
    const unsure = new Set(wanted.flatMap(({ scope }, i) => (found[i] === 'unsure' ? [scope] : [])));
    try {
      const inLog = unsure.size > 0 ? await findKeysInLog(unsure) : new Map<string, FoundKey>();
      const answers = wanted.map((key, i) => {
        const first = found[i];
        if (first !== 'unsure') return first;
        const known = inLog.get(key.scope);
        if (known && known.bodyDigest !== key.bodyDigest) throw otherBody();
        return known?.answer;
      });
      return { answers, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async function once<T>(
    key: RequestKey,
    again: (first: RememberedAnswer) => T | Promise<T>,
    run: () => Promise<T>,
  ): Promise<T> {
    const { answers, release } = await begin([key]);
    try {
      return await (answers[0] ? again(answers[0]) : run());
    } finally {
      release();
    }
  }

  return {
    write(options, run) {
      const { idempotency } = options ?? {};
      if (!idempotency || idempotency.isBegun) return run();
      return once(toRequestKey(idempotency), answerAgain, run);
    },
    async all(request, run) {
      if (!request) return run();
      await keysReady;
      for (const key of keysOf(request, MOST_KEYS)) keys.check(key, elapsedMs());
      const again = (first: RememberedAnswer): BulkOutcome => {
        checkKept(first);
        const answers = JSON.parse(String(readBlob(first.blob))) as BulkResult[];
        return { answers, commit: first.commit, replayed: true };
      };
      return once(toRequestKey(request), again, run);
    },
    async each(request, count, run) {
      if (!request) return { answers: await run([], () => undefined), commit: null };
      const own = keysOf(request, MOST_KEYS);
      const { answers, release } = await begin(own.slice(0, count), [...own.slice(count), toRequestKey(request)]);
      try {
        const again = await Promise.all(answers.map((answer) => answer && answerAgain(answer)));
        const results = await run(again, (i) => ({ ...operationOf(request, i), isBegun: true }));
        // What was refused is decided again, and refused again if nothing has changed.
        const replayed = again.some(Boolean) && results.every(({ error }, i) => again[i] || error !== undefined);
        return { answers: results, commit: null, ...(replayed ? { replayed } : {}) };
      } finally {
        release();
      }
    },
  };
}

function operationOf({ scope, bodyDigest }: Idempotency, index: number): Idempotency {
  return { scope: `${scope}\n${index}`, bodyDigest };
}

function keysOf(request: Idempotency, count: number): RequestKey[] {
  return Array.from({ length: count }, (_, index) => toRequestKey(operationOf(request, index)));
}
