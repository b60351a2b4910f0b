// One round of maintenance: several packs become one. When the caller gets the result, the new pack is complete, synced
// and visible to all readers; the caller removes the old packs later. A round that is ended earlier leaves nothing but
// our temporary files. Unreachable objects are kept: a force-push loses nothing.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { type Disk, removeLeftover } from '../disk/disk.ts';
import { encodeSortedIndex, parsePackIndex } from '../git/pack-index.ts';
import { guardPack, releasePack, toTemporary } from '../repository/pack-files.ts';
import { openSource, readObjects, type SourcePack } from './objects.ts';
import { encodePack } from './pack.ts';
import { findVersions } from './versions.ts';

export interface MergeResult {
  name: string;
  /** Old packs; the new one has all their objects. */
  replaces: readonly string[];
  objects: number;
  bytesBefore: number;
  bytesAfter: number;
}

const temporaryOf = (disk: Disk, folder: string, extension: string): string =>
  toTemporary(disk, folder, `${extension}_merge`);

/**
 * Returns undefined if one of the packs is gone or removed meanwhile: another process repacks. `breathe` is called
 * between objects. Throws if an object is damaged or the disk is full.
 */
export function mergePacks(
  disk: Disk,
  folder: string,
  names: readonly string[],
  breathe: () => void = () => undefined,
): MergeResult | undefined {
  const sources: SourcePack[] = [];
  try {
    for (const name of names) {
      const source = openSource(disk, path.join(folder, name), name);
      if (!source) return undefined;
      sources.push(source);
    }
    return mergeSources(disk, folder, sources, breathe);
  } finally {
    for (const { handle } of sources) handle.close();
    removeMergeLeavings(disk, folder);
  }
}

/** Removes the temporary files of a merge. */
export function removeMergeLeavings(disk: Disk, folder: string): void {
  for (const extension of ['pack', 'idx']) removeLeftover(disk, temporaryOf(disk, folder, extension));
}

function mergeSources(
  disk: Disk,
  folder: string,
  sources: readonly SourcePack[],
  breathe: () => void,
): MergeResult | undefined {
  const table = readObjects(sources, breathe);
  const pack = encodePack(table, findVersions(table, breathe), breathe);
  removeMergeLeavings(disk, folder);
  disk.createFile(temporaryOf(disk, folder, 'pack'), pack.chunks(createHash('sha1')));
  const { offsets, crcs, checksum } = pack.written();
  const index = encodeSortedIndex(table.oids, crcs, offsets, checksum);
  disk.createFile(temporaryOf(disk, folder, 'idx'), [index]);

  const bytesBefore = sources.reduce((sum, { handle }) => sum + handle.sizeBytes, 0);
  const name = `pack-${checksum.toString('hex')}`;
  const final = path.join(folder, name);
  if (!sources.every((source) => disk.stat(path.join(folder, `${source.name}.pack`)))) return undefined;
  // A crash between the two renames leaves a pack without an index; the .keep marks it as ours to remove.
  guardPack(disk, folder, name);
  disk.syncFolder(folder);
  disk.rename(temporaryOf(disk, folder, 'pack'), `${final}.pack`);
  disk.rename(temporaryOf(disk, folder, 'idx'), `${final}.idx`);
  disk.syncFolder(folder);
  releasePack(disk, folder, name);
  check(disk, final, sources);
  const replaces = sources.map((source) => source.name).filter((old) => old !== name);
  return { name, replaces, objects: table.count, bytesBefore, bytesAfter: disk.stat(`${final}.pack`)?.size ?? 0 };
}

/** Reads the new index back and checks that it has every object of the old packs. */
function check(disk: Disk, file: string, sources: readonly SourcePack[]): void {
  const bytes = disk.readFile(`${file}.idx`);
  const merged = bytes && parsePackIndex(bytes);
  for (const { name, index } of sources) {
    for (let i = 0; i < index.count; i++) {
      const oid = index.oids.subarray(i * 20, i * 20 + 20);
      if (!merged || merged.find(oid) < 0)
        throw new Error(`merged pack lacks object "${oid.toString('hex')}" of pack "${name}"`);
    }
  }
}
