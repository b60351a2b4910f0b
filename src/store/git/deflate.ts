// zlib's deflate for many small objects: one compressor for each window size and level, and deflateSync for large
// objects and for everything but plain success. Two calls with the same body may return different bytes.
import { constants, createDeflate, deflateSync, type ZlibOptions } from 'node:zlib';
import { createRun, type ZlibStream } from './zlib-handle.ts';

/** Windows sized to the body: for a 2 KB document the set-up costs a fifth of what it costs by default. */
const WINDOWS = [
  { mostBytes: 4096, windowBits: 12, memLevel: 5 },
  { mostBytes: 65_536, windowBits: 14, memLevel: 7 },
];

type Deflate = (body: Buffer) => Buffer;

const deflaters = new Map<string, Deflate>();
let scratch = Buffer.alloc(0);

export function deflateObject(body: Buffer, level: number): Buffer {
  const window = WINDOWS.find(({ mostBytes }) => body.length <= mostBytes);
  if (!window) return deflateSync(body, { level });
  const { windowBits, memLevel } = window;
  const name = `${windowBits} ${level}`;
  let deflater = deflaters.get(name);
  if (!deflater) {
    const options = { level, windowBits, memLevel };
    const stream = createDeflate({ ...options, chunkSize: constants.Z_MIN_CHUNK });
    deflaters.set(name, (deflater = createDeflater(stream as ZlibStream, options)));
  }
  return deflater(body);
}

export function createDeflater(stream: ZlibStream, options: ZlibOptions): Deflate {
  const run = createRun(stream);
  return (body) => {
    // Space for any result, and a byte that stays free.
    const mostBytes = body.length + (body.length >> 8) + 64;
    if (scratch.length < mostBytes) scratch = Buffer.allocUnsafeSlow(mostBytes * 2);
    const leftBytes = run(body, scratch);
    if (!leftBytes) return deflateSync(body, { ...options, chunkSize: mostBytes });
    return Buffer.from(scratch.subarray(0, scratch.length - leftBytes));
  };
}
