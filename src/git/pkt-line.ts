// Git's framing: four hex digits of length, then data; and the side-bands that separate data from messages to people
// (gitprotocol-common(5), gitprotocol-pack(5)). Pure.
import { invalid } from '../lib/errors.ts';

export const FLUSH = Buffer.from('0000');
/** The maximum of `side-band-64k`, minus length and band. */
const BAND_BYTES = 65_520 - 5;
const MAX_BYTES = 65_520;

export function toPacket(data: string | Buffer): Buffer {
  const bytes = Buffer.from(data);
  return Buffer.concat([Buffer.from((bytes.length + 4).toString(16).padStart(4, '0')), bytes]);
}

/** Band 1 is data, band 2 is messages to people. */
export function toBand(band: 1 | 2, data: string | Buffer): Buffer {
  const bytes = Buffer.from(data);
  const packets: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += BAND_BYTES) {
    packets.push(toPacket(Buffer.concat([Buffer.of(band), bytes.subarray(at, at + BAND_BYTES)])));
  }
  return Buffer.concat(packets);
}

/** How many bytes follow the four digits; undefined for a flush. Throws 400 for anything else. */
export function parseLength(head: Buffer): number | undefined {
  const text = head.toString('latin1');
  const length = /^[0-9a-f]{4}$/i.test(text) ? Number.parseInt(text, 16) : -1;
  if (length === 0) return undefined;
  if (length < 4 || length > MAX_BYTES) throw invalid('the request is not in git’s packet format');
  return length - 4;
}
