// Runs a creation once for its Idempotency-Key, or answers what the first request with it was answered.
import type { Decisions } from '../lib/decisions.ts';
import type { WriteOptions, Written } from './api.ts';
import { type IdempotencyKeys, type RememberedAnswer, toRequestKey } from './idempotency.ts';
import { parseFile, toBody } from './stored.ts';

export interface OnceParts {
  keys: IdempotencyKeys;
  decisions: Decisions;
  /** Resolves once the keys of the last 24 hours are known (they are read from the log after a start). */
  keysReady: Promise<void>;
  readBlob(oid: string): Buffer;
  now(): Date;
}

export type Once = (options: WriteOptions | undefined, run: () => Promise<Written>) => Promise<Written>;

export function createOnce({ keys, decisions, keysReady, readBlob, now }: OnceParts): Once {
  return async (options, run) => {
    if (!options?.idempotency) return run();
    await keysReady;
    const key = toRequestKey(options.idempotency);
    const first = await decisions.decide(() => keys.begin(key, now().getTime()));
    if (first) {
      const body = first.body ?? bodyOf(first, readBlob(first.blob));
      return { body, etag: `"${first.blob}"`, commit: first.commit, replayed: true };
    }
    try {
      return await run();
    } finally {
      keys.release(key);
    }
  };
}

function bodyOf({ blob }: RememberedAnswer, file: Buffer): Buffer {
  const doc = parseFile(file);
  if (typeof doc === 'string') throw new Error(`remembered document ${blob} cannot be read: ${doc}`);
  return toBody(doc);
}
