// A pack that comes from a remote: written to the disk as it arrives, indexed object by object, and put into the
// repository like a pack of our own, durably and with a .keep. Memory holds a few objects and one record for each,
// never the pack. Runs in a thread of its own. Must not move refs.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { crc32, inflateSync } from 'node:zlib';
import { isCode } from '../../lib/error-code.ts';
import type { Disk, ReadHandle } from '../disk/disk.ts';
import { applyDelta, readTargetSize } from '../git/delta.ts';
import { type ObjectType, type Oid, oidOf } from '../git/objects.ts';
import { OFS_DELTA, parseEntryHeader, REF_DELTA, TYPE_NAME } from '../git/pack-entry.ts';
import { encodePackIndex, type IndexEntry } from '../git/pack-index.ts';
import { guardPack, releasePack, toTemporary } from '../repository/pack-files.ts';
import { RemoteError } from './error.ts';

const CHECKSUM = 20;
const HEADER = 12;
/** The file is read in pieces of this size; most entries lie within one. */
const WINDOW = 1 << 18;
const FIRST_READ = 8192;
/** A larger object is not a document, and would not fit into memory with the others. */
const MAX_OBJECT_BYTES = 128 << 20;

export interface ReceivedPack {
  /** `pack-<checksum>`; the caller releases its .keep. */
  name: string;
  /** False if the same pack was there already. */
  isNew: boolean;
}

/** Returns undefined for a pack without objects. */
export async function receivePack(
  disk: Disk,
  folder: string,
  chunks: AsyncIterable<Buffer>,
): Promise<ReceivedPack | undefined> {
  const temporary = toTemporary(disk, folder, 'pack_remote');
  disk.remove(temporary);
  const file = disk.beginFile(temporary);
  let isFinished = false;
  try {
    const sum = createHash('sha1');
    // The checksum is the last 20 bytes, and does not cover itself.
    let tail = Buffer.alloc(0);
    for await (const chunk of chunks) {
      file.append(chunk);
      const known = Buffer.concat([tail, chunk]);
      const end = Math.max(0, known.length - CHECKSUM);
      sum.update(known.subarray(0, end));
      tail = Buffer.from(known.subarray(end));
    }
    if (file.sizeBytes < HEADER + CHECKSUM || !sum.digest().equals(tail)) throw damaged('does not match its checksum');
    file.finish();
    isFinished = true;
    const entries = indexPack(disk, temporary);
    if (entries.length === 0) return undefined;
    const name = `pack-${tail.toString('hex')}`;
    return { name, isNew: install(disk, folder, name, temporary, encodePackIndex(entries, tail)) };
  } finally {
    if (!isFinished) file.abandon();
    else disk.remove(temporary);
  }
}

/** Puts the pack there before its index, like our own. Returns false if both are there already. */
function install(disk: Disk, folder: string, name: string, temporary: string, index: Buffer): boolean {
  const final = path.join(folder, name);
  guardPack(disk, folder, name);
  if (disk.stat(`${final}.idx`) && disk.stat(`${final}.pack`)) {
    disk.syncFolder(folder);
    return false;
  }
  const temporaryIndex = toTemporary(disk, folder, 'idx_remote');
  disk.remove(temporaryIndex);
  try {
    disk.createFile(temporaryIndex, [index]);
    disk.rename(temporary, `${final}.pack`);
    disk.rename(temporaryIndex, `${final}.idx`);
    disk.syncFolder(folder);
    return true;
  } catch (error) {
    // What could not be synced must not be found by the next try, which would build on it.
    for (const file of [temporaryIndex, `${final}.idx`, `${final}.pack`]) disk.remove(file);
    releasePack(disk, folder, name);
    throw error;
  }
}

interface PackObject {
  offset: number;
  length: number;
  type: number;
  crc: number;
  /** Id of a whole object, or of a delta once it is resolved. */
  oid?: Oid;
  base?: number | Oid;
}

/**
 * Every object's id, place and checksum. Throws if the file is not a pack, or depends on objects that are not in it.
 */
function indexPack(disk: Disk, file: string): IndexEntry[] {
  const pack = disk.openForReading(file)!;
  try {
    const entries = scan(pack);
    resolveDeltas(pack, entries);
    const byOid = new Map<Oid, IndexEntry>();
    for (const { oid, crc, offset } of entries) {
      if (!oid) throw damaged('has a delta without its base');
      if (!byOid.has(oid)) byOid.set(oid, { oid, crc, offset });
    }
    return [...byOid.values()];
  } finally {
    pack.close();
  }
}

/** Reads entry after entry: only the compressed data of an entry says where it ends. */
function scan(pack: ReadHandle): PackObject[] {
  const header = pack.read(0, HEADER);
  if (header.toString('latin1', 0, 4) !== 'PACK' || header.readUInt32BE(4) !== 2) throw damaged('has no pack header');
  const count = header.readUInt32BE(8);
  const end = pack.sizeBytes - CHECKSUM;
  const entries: PackObject[] = [];
  let offset = HEADER;
  let window = { at: 0, bytes: Buffer.alloc(0) as Buffer };
  for (let i = 0; i < count; i++) {
    if (offset >= end) throw damaged(`has ${i} objects, not ${count}`);
    if (offset + FIRST_READ > window.at + window.bytes.length) {
      window = { at: offset, bytes: pack.read(offset, Math.min(WINDOW, end - offset)) };
    }
    const first = window.bytes.subarray(offset - window.at);
    const { header: found, body, bytes } = readEntry(pack, offset, end, first);
    const entry: PackObject = { offset, length: bytes.length, type: found.type, crc: crc32(bytes) };
    const type = TYPE_NAME[found.type];
    if (type) entry.oid = oidOf(type, body);
    else if (found.type === OFS_DELTA) entry.base = offset - found.distance;
    else if (found.type === REF_DELTA) entry.base = found.base;
    else throw damaged(`has an entry of the unknown type ${found.type}`);
    entries.push(entry);
    offset += bytes.length;
  }
  if (offset !== end) throw damaged('continues after its last object');
  return entries;
}

/** `first` has been read already; reads more until that holds the whole entry. */
function readEntry(pack: ReadHandle, offset: number, end: number, first: Buffer) {
  for (let bytes = first; ; bytes = pack.read(offset, Math.min(bytes.length * 4, end - offset))) {
    const header = parseEntryHeader(bytes);
    if (header.sizeBytes > MAX_OBJECT_BYTES) {
      throw new RemoteError('refused', `the remote has an object of ${Math.floor(header.sizeBytes / 2 ** 20)} MiB`);
    }
    try {
      const { buffer, engine } = inflateSync(bytes.subarray(header.dataAt), {
        info: true,
        maxOutputLength: Math.max(1, header.sizeBytes),
      }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
      if (buffer.length !== header.sizeBytes) throw damaged(`has an entry of another size at ${offset}`);
      return { header, body: buffer, bytes: bytes.subarray(0, header.dataAt + engine.bytesWritten) };
    } catch (error) {
      if (error instanceof RemoteError) throw error;
      // The entry was probably not read to its end.
      if (isCode(error, 'Z_BUF_ERROR') && bytes.length < end - offset) continue;
      throw damaged(`has an entry that cannot be read at ${offset}`);
    }
  }
}

/** Resolves the deltas on each whole object, and the deltas on those; a base is dropped with its last delta. */
function resolveDeltas(pack: ReadHandle, entries: readonly PackObject[]): void {
  const read = ({ offset, length }: PackObject): Buffer =>
    readEntry(pack, offset, offset + length, pack.read(offset, length)).body;
  const onOffset = new Map<number, PackObject[]>();
  const onOid = new Map<Oid, PackObject[]>();
  for (const entry of entries) {
    if (entry.base === undefined) continue;
    if (typeof entry.base === 'number') push(onOffset, entry.base, entry);
    else push(onOid, entry.base, entry);
  }
  const removeDeltas = (base: PackObject): PackObject[] => {
    const deltas = [...(onOffset.get(base.offset) ?? []), ...(onOid.get(base.oid!) ?? [])];
    onOffset.delete(base.offset);
    onOid.delete(base.oid!);
    return deltas;
  };
  for (const root of entries) {
    const type = TYPE_NAME[root.type];
    const deltas = type ? removeDeltas(root) : [];
    if (!type || deltas.length === 0) continue;
    const stack = [{ deltas, body: read(root) }];
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const delta = top.deltas.pop()!;
      if (top.deltas.length === 0) stack.pop();
      const body = apply(top.body, read(delta));
      delta.oid = oidOf(type as ObjectType, body);
      const next = removeDeltas(delta);
      if (next.length) stack.push({ deltas: next, body });
    }
  }
}

function apply(base: Buffer, delta: Buffer): Buffer {
  try {
    if (readTargetSize(delta) > MAX_OBJECT_BYTES) throw damaged('has an object that is too large');
    return applyDelta(base, delta);
  } catch (error) {
    if (error instanceof RemoteError) throw error;
    throw damaged(`has a bad delta: ${(error as Error).message}`);
  }
}

function push<K>(map: Map<K, PackObject[]>, key: K, entry: PackObject): void {
  const known = map.get(key);
  if (known) known.push(entry);
  else map.set(key, [entry]);
}

function damaged(what: string): RemoteError {
  return new RemoteError('failed', `the pack that the host sent ${what}`);
}
