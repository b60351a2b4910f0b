// Objects as a pack of another git: each whole, in the given order.
import { hash } from 'node:crypto';
import { crc32, deflate, encodePackEntry, TYPE_NUMBER } from '../../../src/store/git/pack-entry.ts';
import { encodePackIndex, type IndexEntry } from '../../../src/store/git/pack-index.ts';
import type { ExternalObject } from './external-commit.ts';

export interface ExternalPack {
  /** `pack-<checksum>`. */
  name: string;
  pack: Buffer;
  index: Buffer;
}

export function encodeExternalPack(objects: readonly ExternalObject[]): ExternalPack {
  const header = Buffer.alloc(12);
  header.write('PACK', 0, 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [header];
  const entries: IndexEntry[] = [];
  let offset = header.length;
  for (const { oid, type, body } of objects) {
    const bytes = encodePackEntry(TYPE_NUMBER[type], body, deflate(body));
    entries.push({ oid, crc: crc32(bytes), offset });
    parts.push(bytes);
    offset += bytes.length;
  }
  const checksum = hash('sha1', Buffer.concat(parts), 'buffer');
  return {
    name: `pack-${checksum.toString('hex')}`,
    pack: Buffer.concat([...parts, checksum]),
    index: encodePackIndex(entries, checksum),
  };
}
