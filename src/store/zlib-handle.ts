// One zlib stream for many small objects, because setting one up costs more than a document does. Node has no way to use a
// stream again, so this goes to what its own inflateSync and deflateSync stand on; a Node that has other insides answers
// undefined, and the callers ask those.
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

/** What createInflate and createDeflate return, as it is inside. */
export interface ZlibStream {
  _handle?: Partial<Handle> | null;
  /** Bytes left of the output and of the input, after a write. */
  _writeState?: Uint32Array;
}

/** Puts the result of all of `data` into `into`; how many bytes of it are left, undefined if anything is not as expected. */
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
