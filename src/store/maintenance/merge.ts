// One round of maintenance: several packs become one. The new pack is whole, synced and found by everybody before the
// caller hears of it, who removes the old ones later; whatever ends the round before that leaves nothing but a temporary
// file of ours. Objects that nothing reaches are kept: a force-push loses nothing.
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
  /** All their objects are in the new one. */
  replaces: readonly string[];
  objects: number;
  bytesBefore: number;
  bytesAfter: number;
}

const temporaryOf = (disk: Disk, folder: string, extension: string): string =>
  toTemporary(disk, folder, `${extension}_merge`);

/**
 * Undefined where one of the packs is gone or went away meanwhile: somebody else repacks. `breathe` is called between two
 * objects. Throws where an object is damaged, or the disk is full.
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

/** After a merge that was ended from outside. */
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
  // A crash between the two names leaves a pack that nobody can use; the .keep says that it is ours to remove.
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

/** Read back, each object of the old packs is in the new one. */
function check(disk: Disk, file: string, sources: readonly SourcePack[]): void {
  const bytes = disk.readFile(`${file}.idx`);
  const merged = bytes && parsePackIndex(bytes);
  for (const { name, index } of sources) {
    for (let i = 0; i < index.count; i++) {
      const oid = index.oids.subarray(i * 20, i * 20 + 20);
      if (!merged || merged.find(oid) < 0) throw new Error(`merged pack lacks ${oid.toString('hex')} of ${name}`);
    }
  }
}
