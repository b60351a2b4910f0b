// zlib's inflate for many small objects: one decompressor for all, and inflateSync for everything but plain success.
import { constants, createInflate, inflateSync } from 'node:zlib';
import { createRun, runInSteps, type ZlibStream } from './zlib-handle.ts';

/** From this size on inflateSync is cheaper. */
const LARGE_BYTES = 1 << 20;

let inflater: ReturnType<typeof createInflater> | undefined;

/**
 * Inflates the zlib data that `data` begins with and ignores the bytes after it. A result shorter than `sizeBytes` is
 * returned as it is. @throws if the zlib data is damaged or holds more than `sizeBytes`
 */
export function inflateObject(data: Buffer, sizeBytes: number): Buffer {
  if (sizeBytes > 0 && sizeBytes < LARGE_BYTES) {
    inflater ??= createInflater(createInflate({ chunkSize: constants.Z_MIN_CHUNK }) as ZlibStream);
    const bytes = inflater(data, sizeBytes);
    if (bytes) return bytes;
  }
  return inflateSync(data, {
    maxOutputLength: Math.max(1, sizeBytes),
    // One byte more than needed, so that zlib ends within its first buffer; the default of 16 KB would cost too much.
    chunkSize: Math.max(64, sizeBytes + 1),
  });
}

/** The same for a large object, in steps, for callers that must not block the event loop. */
export function* inflateInSteps(
  data: Buffer,
  sizeBytes: number,
  stream = createInflate({ chunkSize: constants.Z_MIN_CHUNK }) as ZlibStream,
): Generator<undefined, Buffer> {
  try {
    // If the byte after the last one does not stay free, the data holds more.
    const into = Buffer.allocUnsafeSlow(sizeBytes + 1);
    const left = yield* runInSteps(stream, data, into);
    return left === 1 ? into.subarray(0, sizeBytes) : inflateObject(data, sizeBytes);
  } finally {
    stream.close?.();
  }
}

/** The function that it creates returns undefined unless the result is certain. */
export function createInflater(stream: ZlibStream) {
  const run = createRun(stream);
  return (data: Buffer, sizeBytes: number): Buffer | undefined => {
    // If the byte after the last one does not stay free, the data holds more.
    const into = Buffer.allocUnsafeSlow(sizeBytes + 1);
    return run(data, into) === 1 ? into.subarray(0, sizeBytes) : undefined;
  };
}
