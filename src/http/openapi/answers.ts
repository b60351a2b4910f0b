// The API description as it is sent: large, open to everybody, and the same for all who may see the same collections.
// So it is built, serialised and compressed once for each set of collections, in slices.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { CollectionDescription, OpenApiDocument } from './openapi.ts';

export interface DescribedApi {
  etag: string;
  body: Buffer;
  gzip: Buffer;
}

/** Sets of collections whose description is kept; the least recently requested one goes first. */
const MAX_KEPT = 32;
const compress = promisify(gzip);

/** Collections are equal if they are the same objects, even in different lists. */
export function createDescribedApi(
  describe: (collections: readonly CollectionDescription[]) => Generator<void, OpenApiDocument>,
): (collections: readonly CollectionDescription[]) => Promise<DescribedApi> {
  const numbers = new WeakMap<CollectionDescription, number>();
  let known = 0;
  const kept = createBoundedMap<string, Promise<DescribedApi>>(MAX_KEPT);

  function numberOf(collection: CollectionDescription): number {
    const number = numbers.get(collection) ?? ++known;
    numbers.set(collection, number);
    return number;
  }

  return (collections) => {
    const key = collections.map(numberOf).join();
    const described = kept.get(key) ?? make(describe(collections));
    kept.set(key, described);
    described.catch(() => kept.delete(key)); // the caller gets the error; the next call tries again
    return described;
  };
}

async function make(steps: Generator<void, OpenApiDocument>): Promise<DescribedApi> {
  const breathe = createBreathe();
  let step = steps.next();
  for (; !step.done; step = steps.next()) await breathe();
  const pieces: string[] = [];
  for (const piece of inPieces(step.value)) {
    pieces.push(piece);
    await breathe();
  }
  const body = Buffer.from(pieces.join(''));
  const etag = `W/"${hash('sha256', body).slice(0, 32)}"`;
  return { etag, body, gzip: await compress(body, { level: 9 }) };
}

/** JSON of an object in pieces, two levels down: each as large as one path or one schema. */
function* inPieces(value: object, depth = 2): Generator<string> {
  if (depth === 0 || Array.isArray(value)) {
    yield JSON.stringify(value);
    return;
  }
  let before = '{';
  for (const [key, entry] of Object.entries(value)) {
    if (entry === undefined) continue;
    yield `${before}${JSON.stringify(key)}:`;
    if (typeof entry === 'object' && entry !== null) yield* inPieces(entry, depth - 1);
    else yield JSON.stringify(entry);
    before = ',';
  }
  yield before === '{' ? '{}' : '}';
}
