// Writes a pack of a few objects that are not part of the log (changes of the log go through packer.ts). The event loop
// runs between the objects.
import { hash } from 'node:crypto';
import type { Breathe } from '../../lib/queues/slices.ts';
import type { ObjectType, Oid } from '../git/objects.ts';
import { crc32, deflate, encodePackEntry, TYPE_NUMBER } from '../git/pack-entry.ts';
import { encodePackIndex, type IndexEntry } from '../git/pack-index.ts';
import type { DiskWork } from './disk-work.ts';

export interface PackableObject {
  oid: Oid;
  type: ObjectType;
  body: Buffer;
}

/**
 * Returns the pack's name. The pack is durable, and guarded against a repack: release it once a ref reaches it, or
 * never will.
 */
export async function writePack(work: DiskWork, objects: Iterable<PackableObject>, breathe: Breathe): Promise<string> {
  const entries: IndexEntry[] = [];
  const header = Buffer.alloc(12);
  const chunks: Buffer[] = [header];
  let sizeBytes = header.length;
  for (const { oid, type, body } of objects) {
    const bytes = encodePackEntry(TYPE_NUMBER[type], body, deflate(body));
    entries.push({ oid, crc: crc32(bytes), offset: sizeBytes });
    chunks.push(bytes);
    sizeBytes += bytes.length;
    await breathe();
  }
  header.write('PACK', 0, 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.length, 8);
  const checksum = hash('sha1', Buffer.concat(chunks, sizeBytes), 'buffer');
  const name = `pack-${checksum.toString('hex')}`;
  await work('installPack', name, Buffer.concat([...chunks, checksum]), encodePackIndex(entries, checksum));
  return name;
}
