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
  close?(): void;
}

/** Of what comes out, between two yields: about a millisecond. */
const STEP_BYTES = 1 << 17;

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

/** The same once, with a stream of its own, in steps. */
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
    const room = Math.min(STEP_BYTES, into.length - end);
    handle.writeSync(constants.Z_FINISH, data, at, data.length - at, into, end, room);
    if (isBroken) return undefined;
    const [leftOfRoom = 0, leftOfData = 0] = state;
    end += room - leftOfRoom;
    if (leftOfRoom > 0) return into.length - end;
    at = data.length - leftOfData;
    yield undefined;
  }
  return 0;
}
