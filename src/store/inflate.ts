// zlib's inflate for many small objects: one decompressor for all of them, because setting one up costs more than to
// inflate a document. Node has no way to use one again without a stream around it, so this goes to what its own inflateSync
// stands on; where that is other than expected, and for whatever is not plain success, inflateSync itself has the word.
import { constants, createInflate, inflateSync } from 'node:zlib';

interface Decompressor {
  reset(): void;
  writeSync(
    flush: number,
    bytes: Buffer,
    at: number,
    length: number,
    into: Buffer,
    intoAt: number,
    intoLength: number,
  ): void;
  onerror?: () => void;
}

interface Inner {
  _handle?: Partial<Decompressor> | null;
  /** Bytes left of the output and of the input, after a write. */
  _writeState?: Uint32Array;
}

/** What inflateSync takes to be cheaper. */
const LARGE_BYTES = 1 << 20;

let inflater: ReturnType<typeof createInflater> | undefined;

/** The `sizeBytes` that `data` begins with; what is behind the zlib data is passed over. @throws where it holds others. */
export function inflateObject(data: Buffer, sizeBytes: number): Buffer {
  if (sizeBytes > 0 && sizeBytes < LARGE_BYTES) {
    inflater ??= createInflater(createInflate({ chunkSize: constants.Z_MIN_CHUNK }) as Inner);
    const bytes = inflater(data, sizeBytes);
    if (bytes) return bytes;
  }
  return inflateSync(data, {
    maxOutputLength: Math.max(1, sizeBytes),
    // One byte more than needed, so that it ends within its first buffer; the usual 16 KB would cost more than the data.
    chunkSize: Math.max(64, sizeBytes + 1),
  });
}

/** Answers undefined wherever it is not certain. */
export function createInflater({ _handle: handle, _writeState: state }: Inner) {
  const isKnown = typeof handle?.writeSync === 'function' && typeof handle.reset === 'function' && state?.length === 2;
  if (!isKnown) return () => undefined;
  const decompressor = handle as Decompressor;
  let isBroken = false;
  decompressor.onerror = () => {
    isBroken = true;
  };
  return (data: Buffer, sizeBytes: number): Buffer | undefined => {
    // The byte behind the last one must stay free, or the data holds more.
    const into = Buffer.allocUnsafeSlow(sizeBytes + 1);
    isBroken = false;
    decompressor.reset();
    decompressor.writeSync(constants.Z_FINISH, data, 0, data.length, into, 0, into.length);
    return !isBroken && state[0] === 1 ? into.subarray(0, sizeBytes) : undefined;
  };
}
