// zlib's inflate for many small objects: one decompressor for all of them, and inflateSync has the word on whatever is not
// plain success.
import { constants, createInflate, inflateSync } from 'node:zlib';
import { createRun, runInSteps, type ZlibStream } from './zlib-handle.ts';

/** What inflateSync takes to be cheaper. */
const LARGE_BYTES = 1 << 20;

let inflater: ReturnType<typeof createInflater> | undefined;

/** The `sizeBytes` that `data` begins with; what is behind the zlib data is passed over. @throws where it holds others. */
export function inflateObject(data: Buffer, sizeBytes: number): Buffer {
  if (sizeBytes > 0 && sizeBytes < LARGE_BYTES) {
    inflater ??= createInflater(createInflate({ chunkSize: constants.Z_MIN_CHUNK }) as ZlibStream);
    const bytes = inflater(data, sizeBytes);
    if (bytes) return bytes;
  }
  return inflateSync(data, {
    maxOutputLength: Math.max(1, sizeBytes),
    // One byte more than needed, so that it ends within its first buffer; the usual 16 KB would cost more than the data.
    chunkSize: Math.max(64, sizeBytes + 1),
  });
}

/** The same for a large object, for whoever has something else to do meanwhile. */
export function* inflateInSteps(
  data: Buffer,
  sizeBytes: number,
  stream = createInflate({ chunkSize: constants.Z_MIN_CHUNK }) as ZlibStream,
): Generator<undefined, Buffer> {
  try {
    // The byte behind the last one must stay free, or the data holds more.
    const into = Buffer.allocUnsafeSlow(sizeBytes + 1);
    const left = yield* runInSteps(stream, data, into);
    return left === 1 ? into.subarray(0, sizeBytes) : inflateObject(data, sizeBytes);
  } finally {
    stream.close?.();
  }
}

/** Answers undefined wherever it is not certain. */
export function createInflater(stream: ZlibStream) {
  const run = createRun(stream);
  return (data: Buffer, sizeBytes: number): Buffer | undefined => {
    // The byte behind the last one must stay free, or the data holds more.
    const into = Buffer.allocUnsafeSlow(sizeBytes + 1);
    return run(data, into) === 1 ? into.subarray(0, sizeBytes) : undefined;
  };
}
