// One zlib stream for many small objects, because setting one up costs more than compressing a document. Node has no
// API to reuse a stream, so this calls the internals that inflateSync and deflateSync are built on. If a Node has other
// internals, the result is undefined, and the callers fall back to inflateSync and deflateSync.
import { constants } from 'node:zlib';

interface Handle {
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

/** The internals of the streams that createInflate and createDeflate return. */
export interface ZlibStream {
  _handle?: Partial<Handle> | null;
  /** Bytes left of the output and of the input, after a write. */
  _writeState?: Uint32Array;
  close?(): void;
}

/** Bytes of output between two yields: about a millisecond. */
const STEP_BYTES = 1 << 17;

/** Puts the result for `data` into `into`; returns how many bytes of `into` are left, or undefined if it failed. */
export type Run = (data: Buffer, into: Buffer) => number | undefined;

export function createRun({ _handle: found, _writeState: state }: ZlibStream): Run {
  const isKnown = typeof found?.writeSync === 'function' && typeof found.reset === 'function' && state?.length === 2;
  if (!isKnown) return () => undefined;
  const handle = found as Handle;
  let isBroken = false;
  handle.onerror = () => {
    isBroken = true;
  };
  return (data, into) => {
    isBroken = false;
    handle.reset();
    handle.writeSync(constants.Z_FINISH, data, 0, data.length, into, 0, into.length);
    return isBroken ? undefined : state[0];
  };
}

/** The same in steps, once, with a stream that is not shared. */
export function* runInSteps(
  { _handle: handle, _writeState: state }: ZlibStream,
  data: Buffer,
  into: Buffer,
): Generator<undefined, number | undefined> {
  if (typeof handle?.writeSync !== 'function' || state?.length !== 2) return undefined;
  let isBroken = false;
  handle.onerror = () => {
    isBroken = true;
  };
  let at = 0;
  for (let end = 0; end < into.length; ) {
    const space = Math.min(STEP_BYTES, into.length - end);
    handle.writeSync(constants.Z_FINISH, data, at, data.length - at, into, end, space);
    if (isBroken) return undefined;
    const [leftOfSpace = 0, leftOfData = 0] = state;
    end += space - leftOfSpace;
    if (leftOfSpace > 0) return into.length - end;
    at = data.length - leftOfData;
    yield undefined;
  }
  return 0;
}
