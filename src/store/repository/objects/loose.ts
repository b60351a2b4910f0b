// Loose objects: one file each, deflated as a whole.
import path from 'node:path';
import { constants, inflateSync } from 'node:zlib';
import type { Disk } from '../../disk/disk.ts';
import type { GitObject, ObjectType, Oid } from '../../git/objects.ts';

/** Enough compressed bytes for the two sizes at a delta's start, or a loose object's header: code tables come first. */
const HEADER_READ = 1024;

/** Inflates the first bytes of zlib data, to at most some ten thousand bytes. */
export function inflateStart(data: Buffer): Buffer {
  return inflateSync(data.subarray(0, HEADER_READ), { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1024 });
}

export function loosePath(repository: string, oid: Oid): string {
  return path.join(repository, 'objects', oid.slice(0, 2), oid.slice(2));
}

export function readLoose(disk: Disk, repository: string, oid: Oid): GitObject | undefined {
  const file = disk.readFile(loosePath(repository, oid));
  if (!file) return undefined;
  const bytes = inflateSync(file);
  const end = bytes.indexOf(0);
  const type = bytes.toString('latin1', 0, bytes.indexOf(32)) as ObjectType;
  return { type, body: bytes.subarray(end + 1) };
}

/** Returns the object's type and size from its header, or undefined if there is no such file. */
export function readLooseHeader(
  disk: Disk,
  repository: string,
  oid: Oid,
): { type: ObjectType; sizeBytes: number } | undefined {
  const handle = disk.openForReading(loosePath(repository, oid));
  if (!handle) return undefined;
  try {
    const [type, size] = inflateStart(handle.read(0, HEADER_READ)).toString('latin1').split('\0', 1)[0]!.split(' ');
    return { type: type as ObjectType, sizeBytes: Number(size) };
  } finally {
    handle.close();
  }
}
