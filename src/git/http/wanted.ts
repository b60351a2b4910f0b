// What a clone or fetch asks for by id. Pure.
import { invalid } from '../../lib/errors.ts';

const HEAD_BYTES = 4;
/** Lengths below it are marks: the ends of a list, of a section, of an answer (gitprotocol-v2(5), "Packet-Line Framing"). */
const SHORTEST = 4;
/** Git reads the first forty digits, of either case. */
const WANT = /^want ([0-9a-f]{40})/i;

/** The ids of the `want` lines, in lower case. @throws ServiceError 400 for another framing than git's */
export function listWanted(request: Buffer): Set<string> {
  const wanted = new Set<string>();
  for (let at = 0; at < request.length; ) {
    const head = request.toString('latin1', at, at + HEAD_BYTES);
    const length = /^[0-9a-f]{4}$/i.test(head) ? Number.parseInt(head, 16) : -1;
    if (length < 0 || length === SHORTEST - 1 || at + length > request.length) {
      throw invalid('the request is not in git’s packet format');
    }
    if (length > SHORTEST) {
      const [, oid] = WANT.exec(request.toString('latin1', at + HEAD_BYTES, at + length)) ?? [];
      if (oid !== undefined) wanted.add(oid.toLowerCase());
    }
    at += Math.max(length, HEAD_BYTES);
  }
  return wanted;
}
