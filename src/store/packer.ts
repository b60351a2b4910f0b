// Turns durable commits into packs. Trees of one directory are deltas against their predecessor, in short chains that
// hang on anchors, which form chains of their own, and so on up to the pack's one full copy: any tree is some dozen deltas
// away from it. While its pack is small the next flush extends it (old bytes as they are, new entries behind), so that an
// editor's single writes do not each leave a pack with a full tree. Must not move refs: packer-thread.ts does, behind it.
import { hash } from 'node:crypto';
import path from 'node:path';
import { deltaBytes, encodeDelta } from './delta.ts';
import { type Disk, removeLeftover } from './disk.ts';
import type { ObjectType, Oid } from './objects.ts';
import { crc32, deflate, encodeEntry, OFS_DELTA, storeUncompressed, TYPE_NUMBER } from './pack-entry.ts';
import { encodeSortedEntries, type IndexEntry, NO_ENTRIES, type SortedEntries, withEntries } from './pack-index.ts';
import { PieceTable } from './piece-table.ts';
import { MutableTree, type TreeEdit } from './tree.ts';
import { createTreeChain, type TreeChain } from './tree-chain.ts';

/** What one commit did to one directory. */
export interface TreeChange {
  /** Directory path, `` for the root. */
  path: string;
  oid: Oid;
  edits: TreeEdit[];
}

export interface PackableCommit {
  oid: Oid;
  body: Buffer;
  blobs: { oid: Oid; body: Buffer }[];
  trees: TreeChange[];
}

export interface PackBatch {
  commits: PackableCommit[];
  /** Content before this batch of directories that the packer has not seen yet. */
  bases: { path: string; content: Buffer }[];
}

export interface PackResult {
  /** `pack-<checksum>` of the pack that now holds the batch. */
  name: string;
  /** A pack it replaces, to be removed once the ref has moved. */
  replaces: string | undefined;
}

export interface Packer {
  pack(batch: PackBatch): PackResult;
  /** The next batch begins a new pack. */
  seal(): void;
  /** The next batch loses little if it has to begin a new pack, with a full copy of each directory. */
  isSpent(): boolean;
  /** Forgets replicas and the open pack; the next batch brings its bases again. */
  reset(): void;
}

/** A pack is extended while it is smaller than this. */
const EXTEND_BELOW_BYTES = 8 << 20;
/** A pack that is so much larger than the full copies in it has been worth them. */
const SPENT_BYTES = 1 << 20;
/** Trees below this are written whole: a delta would save nothing. */
const WHOLE_TREE_BYTES = 160;

interface Replica {
  tree: MutableTree;
  /** Absent where the pack has no full copy. */
  chain?: TreeChain;
}

/** The pack that the next batch extends. */
interface OpenPack {
  name: string;
  body: Buffer[];
  sizeBytes: number;
  offsets: Map<Oid, number>;
  /** What its index says. */
  entries: SortedEntries;
}

export function createPacker(disk: Disk, folder: string): Packer {
  let replicas = new Map<string, Replica>();
  let open: OpenPack | undefined;

  function pack(batch: PackBatch): PackResult {
    for (const { path: directory, content } of batch.bases) {
      replicas.set(directory, { tree: new MutableTree(content) });
    }
    const extended = open && open.sizeBytes < EXTEND_BELOW_BYTES ? open : undefined;
    const target: OpenPack = extended ?? { name: '', body: [], sizeBytes: 12, offsets: new Map(), entries: NO_ENTRIES };
    const added: IndexEntry[] = [];
    const replaces = extended?.name;
    if (!extended) for (const replica of replicas.values()) delete replica.chain;
    open = undefined; // whatever goes wrong below, the half-extended state is not built on

    const add = (oid: Oid, type: number, body: Buffer, data: Buffer, distance = 0): number => {
      const known = target.offsets.get(oid);
      if (known !== undefined) return known;
      const bytes = encodeEntry(type, body, data, distance);
      const offset = target.sizeBytes;
      target.offsets.set(oid, offset);
      added.push({ oid, crc: crc32(bytes), offset });
      target.body.push(bytes);
      target.sizeBytes += bytes.length;
      return offset;
    };
    const addWhole = (oid: Oid, type: ObjectType, body: Buffer): number =>
      add(oid, TYPE_NUMBER[type], body, deflate(body));
    const addDelta = (oid: Oid, delta: Buffer, base: number): number =>
      add(
        oid,
        OFS_DELTA,
        delta,
        delta.length > 512 ? deflate(delta) : storeUncompressed(delta),
        target.sizeBytes - base,
      );

    function addTree(change: TreeChange): void {
      const replica = replicas.get(change.path);
      if (!replica) throw new Error(`packer has no base for directory "${change.path}"`);
      const { tree, chain } = replica;
      const step = new PieceTable(tree.sizeBytes);
      for (const edit of change.edits) {
        tree.apply(edit);
        step.apply(edit);
      }
      chain?.change(step.toPieces());
      // Back at an earlier state: the next change's delta spans this one too.
      if (target.offsets.has(change.oid)) return;
      if (tree.sizeBytes < WHOLE_TREE_BYTES) {
        addWhole(change.oid, 'tree', tree.content);
        delete replica.chain;
        return;
      }
      const next = chain?.next();
      if (chain && next && deltaBytes(next.delta) < tree.sizeBytes >> 1) {
        chain.added(addDelta(change.oid, encodeDelta(next.delta), next.base));
        return;
      }
      replica.chain = createTreeChain(addWhole(change.oid, 'tree', tree.content));
    }

    for (const commit of batch.commits) {
      for (const blob of commit.blobs) addWhole(blob.oid, 'blob', blob.body);
      for (const change of commit.trees) addTree(change);
      addWhole(commit.oid, 'commit', commit.body);
    }

    const header = Buffer.alloc(12);
    header.write('PACK', 0, 'latin1');
    header.writeUInt32BE(2, 4);
    header.writeUInt32BE(target.offsets.size, 8);
    const body = Buffer.concat([header, ...target.body], target.sizeBytes);
    const checksum = hash('sha1', body, 'buffer');
    const name = `pack-${checksum.toString('hex')}`;
    const entries = withEntries(target.entries, added);
    install(disk, folder, name, [body, checksum], encodeSortedEntries(entries, checksum));
    open = { ...target, entries, name, body: [body.subarray(12)] };
    return { name, replaces: replaces === name ? undefined : replaces };
  }

  return {
    pack,
    seal() {
      open = undefined;
    },
    isSpent() {
      let treeBytes = 0;
      for (const { tree } of replicas.values()) treeBytes += tree.sizeBytes;
      return !open || open.sizeBytes > SPENT_BYTES + 2 * treeBytes;
    },
    reset() {
      replicas = new Map();
      open = undefined;
    },
  };
}

/** Not `tmp_`, which `git prune --expire=now` removes under us. */
export const TEMPORARY_PREFIX = 'colophon_new_';
const KEEP = Buffer.from('colophon: not under the branch yet\n');

/** Pack before index, both synced: git looks for `.idx` first, so a half-made pair is never seen. */
export function install(disk: Disk, folder: string, name: string, pack: readonly Buffer[], index: Buffer): void {
  const final = path.join(folder, name);
  guardPack(disk, folder, name);
  if (disk.stat(`${final}.idx`) && disk.stat(`${final}.pack`)) {
    // From an earlier try, which may have ended before its names were on the disk.
    disk.syncFolder(folder);
    return;
  }
  for (const [extension, chunks] of [
    ['pack', pack],
    ['idx', [index]],
  ] as const) {
    // The extension comes first: `git gc` removes an index that has no pack.
    const temporary = path.join(folder, `${TEMPORARY_PREFIX}${extension}_${name}`);
    disk.remove(temporary);
    disk.createFile(temporary, chunks);
    disk.rename(temporary, `${final}.${extension}`);
  }
  disk.syncFolder(folder);
}

/**
 * `git repack -ad` drops what no ref reaches, and a new pack is not reached before the branch has moved. One with a .keep
 * is left alone, by a repack that began before the move too.
 */
export function guardPack(disk: Disk, folder: string, name: string): void {
  const file = path.join(folder, `${name}.keep`);
  if (disk.stat(file)) return;
  // Under its name once it is whole: what a crash left of it could not be told from somebody else's.
  const temporary = path.join(folder, `${TEMPORARY_PREFIX}keep_${name}`);
  disk.remove(temporary);
  disk.createFile(temporary, [KEEP]);
  disk.rename(temporary, file);
}

/** The branch reaches the pack now, or never will. Other people's .keep files are theirs: answers whether it was ours. */
export function releasePack(disk: Disk, folder: string, name: string): boolean {
  const file = path.join(folder, name);
  if (!disk.readFile(`${file}.keep`)?.equals(KEEP)) return false;
  removeLeftover(disk, `${file}.keep`);
  return true;
}

/** All their objects are elsewhere. A crash in between leaves indexes without packs, which the next start removes. */
export function removePacks(disk: Disk, folder: string, names: readonly string[]): void {
  const files = names.filter((name) => !isNeeded(disk, folder, name)).map((name) => path.join(folder, name));
  for (const file of files)
    for (const extension of ['rev', 'bitmap', 'pack']) removeLeftover(disk, `${file}.${extension}`);
  // A pack that comes back after a power cut without its index stays for ever. One alone is a small one, that the next
  // flush replaced: not worth a sync.
  if (files.length > 1) disk.syncFolder(folder);
  for (const file of files) if (!disk.stat(`${file}.pack`)) removeLeftover(disk, `${file}.idx`);
}

/**
 * Somebody wants the pack kept, or has an index over packs that names it. Those that came after such an index go as ever:
 * what takes their place has all of them.
 */
export function isNeeded(disk: Disk, folder: string, name: string): boolean {
  if (disk.stat(path.join(folder, `${name}.keep`))) return true;
  return disk.readFile(path.join(folder, 'multi-pack-index'))?.includes(`${name}.idx`) ?? false;
}
