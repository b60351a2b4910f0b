// Runs a creation once for its Idempotency-Key, or repeats the answer to the first request with that key.

import { ServiceError } from '../../lib/errors.ts';
import type { Decisions } from '../../lib/queues/decisions.ts';
import type { WriteOptions, WrittenDocument } from '../api.ts';
import { parseFile, toBodyBytes } from '../stored.ts';
import { type IdempotencyKeys, otherBody, type RememberedAnswer, toRequestKey } from './idempotency.ts';
import type { FoundKey } from './recent-keys.ts';

export interface OnceParts {
  keys: IdempotencyKeys;
  decisions: Decisions;
  /** Resolves once the keys of the last 24 hours are known (they are read from the log after a start). */
  keysReady: Promise<void>;
  /** Looks in the log for a key that is no longer kept in memory. */
  findKeyInLog(scope: string): Promise<FoundKey | undefined>;
  /** Whether a blob can be read, including blobs of changes that git does not have yet. */
  hasBlob(oid: string): boolean;
  readBlob(oid: string): Buffer;
  elapsedMs(): number;
}

export type Once = (options: WriteOptions | undefined, run: () => Promise<WrittenDocument>) => Promise<WrittenDocument>;

export function createOnce(parts: OnceParts): Once {
  const { keys, decisions, keysReady, findKeyInLog, hasBlob, readBlob, elapsedMs } = parts;

  function answerAgain({ blob, commit }: RememberedAnswer): WrittenDocument {
    if (!hasBlob(blob)) {
      throw new ServiceError(
        'conflict',
        `this Idempotency-Key made commit ${commit}, whose answer the repository does not have any more`,
      );
    }
    return { body: bodyOf(blob, readBlob(blob)), etag: `"${blob}"`, commit, replayed: true };
  }

  return async (options, run) => {
    if (!options?.idempotency) return run();
    await keysReady;
    const key = toRequestKey(options.idempotency);
    const first = await decisions.decide(() => keys.begin(key, elapsedMs()));
    if (first && first !== 'unsure') return answerAgain(first);
    try {
      const found = first === 'unsure' ? await findKeyInLog(key.scope) : undefined;
      if (!found) return await run();
      if (found.bodyDigest !== key.bodyDigest) throw otherBody();
      return answerAgain(found.answer);
    } finally {
      keys.release(key);
    }
  };
}

function bodyOf(blob: string, file: Buffer): Buffer {
  const doc = parseFile(file);
  if (typeof doc === 'string') throw new Error(`remembered document ${blob} cannot be read: ${doc}`);
  return toBodyBytes(doc);
}
