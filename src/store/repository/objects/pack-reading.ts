// Reads entries of packs by offset: header, deflated data, and the base of a delta.
import type { ReadHandle } from '../../disk/disk.ts';
import { inflateObject } from '../../git/inflate.ts';
import type { ObjectType } from '../../git/objects.ts';
import { parseEntryHeader, TYPE_NAME } from '../../git/pack-entry.ts';
import type { Pack } from './open-packs.ts';

/** First read of an entry; most documents fit, so most reads are one call. */
export const FIRST_READ = 4096;

export function baseOffset({ name }: Pack, offset: number, distance: number): number {
  if (distance < 1 || distance > offset) throw new Error(`pack "${name}" has a bad delta base at offset ${offset}`);
  return offset - distance;
}

export function typeName({ name }: Pack, offset: number, type: number): ObjectType {
  const found = TYPE_NAME[type];
  if (!found) throw new Error(`pack "${name}" has an unknown entry type ${type} at offset ${offset}`);
  return found;
}

export function readEntry(handle: ReadHandle, offset: number, bytes = handle.read(offset, FIRST_READ)) {
  if (bytes.length < 2) throw new Error(`pack ends before offset ${offset}`);
  const header = parseEntryHeader(bytes);
  return { ...header, data: bytes.subarray(header.dataAt) };
}

/** The entry's deflated data, and perhaps bytes after it; reads again if the first read did not include all of it. */
export function readData(first: Buffer, sizeBytes: number, handle: ReadHandle, offset: number): Buffer {
  // zlib's own bound for any settings (deflateBound): entries end before that.
  const bound = sizeBytes + Math.ceil(sizeBytes / 8) + Math.ceil(sizeBytes / 64) + 64;
  const data = bound <= first.length || first.length < FIRST_READ - 64 ? first : handle.read(offset, bound + 64);
  return data === first ? first : data.subarray(parseEntryHeader(data).dataAt);
}

export function inflate(first: Buffer, sizeBytes: number, handle: ReadHandle, offset: number): Buffer {
  const bytes = inflateObject(readData(first, sizeBytes, handle, offset), sizeBytes);
  if (bytes.length !== sizeBytes)
    throw new Error(`pack entry at offset ${offset} has ${bytes.length} bytes, not ${sizeBytes}`);
  return bytes;
}
