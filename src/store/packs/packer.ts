// Turns durable commits into packs. A pack may not lean on another one, so each has a full copy of every directory that its
// commits touch, and that copy is most of what a single write costs. Each batch becomes a pack of its own; what the last
// ones hold is kept in memory as one pack in which their trees are deltas, and that is written in their place once it
// stands for many of them. So an editor's single writes cost one copy of the tree each, and not the pack written again.
// Must not move refs: packer-thread.ts does, behind it.
import type { Disk } from '../disk/disk.ts';
import type { ObjectType, Oid } from '../git/objects.ts';
import { createPackDraft, type PackDraft, type WholeEntry } from '../git/pack-draft.ts';
import { crc32, deflate, encodePackEntry, TYPE_NUMBER } from '../git/pack-entry.ts';
import { PieceTable } from '../git/piece-table.ts';
import { MutableTree } from '../git/tree.ts';
import type { TreeEdit } from '../git/tree-edit.ts';
import { install } from '../repository/pack-files.ts';

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
  /** Packs it replaces, to be retired once the ref has moved. */
  replaces: readonly string[];
  /** Packs that a later one will replace. */
  open: readonly string[];
}

export interface Packer {
  pack(batch: PackBatch): PackResult;
  /** The next batch begins a new pack. */
  seal(): void;
  /** Forgets replicas and the open pack; the next batch brings its bases again. */
  reset(): void;
}

/** So many packs of single batches stand for the open pack at most: reading gets slower with each. */
const BATCHES = 32;
/** The open pack is written when it is as large, however few batches it holds, and nothing is added to it any more. */
const FULL_BYTES = 8 << 20;
/** Written, it is not added to where it is larger than this, and than its copies of trees several times. */
const SEALED_BYTES = 256 << 10;
const SEALED_TREES = 2;

/** What the next batches are added to. */
interface OpenPack {
  draft: PackDraft;
  /** What stands for it on the disk: itself as it was, if it was written, and a pack for each batch since. */
  names: string[];
}

export function createPacker(disk: Disk, folder: string): Packer {
  let replicas = new Map<string, MutableTree>();
  let open: OpenPack | undefined;

  function pack(batch: PackBatch): PackResult {
    const { draft, names } = open ?? { draft: createPackDraft(), names: [] };
    open = undefined; // whatever goes wrong below, the half-extended state is not built on
    for (const { path: directory, content } of batch.bases) {
      replicas.set(directory, new MutableTree(content));
      draft.breakChain(directory);
    }
    const own = createPackDraft();
    addBatch(batch, [own, draft]);

    const isFull = draft.sizeBytes >= FULL_BYTES;
    const isDue = isFull || names.length === 0 || names.length >= BATCHES;
    const { name, pack: bytes, index } = (isDue ? draft : own).encode();
    install(disk, folder, name, bytes, index);
    const replaces = isDue ? names.filter((old) => old !== name) : [];
    const isGrown = draft.sizeBytes >= Math.max(SEALED_BYTES, SEALED_TREES * draft.wholeTreeBytes);
    if (!isFull && !(replaces.length > 0 && isGrown)) open = { draft, names: isDue ? [name] : [...names, name] };
    return { name, replaces, open: open?.names ?? [] };
  }

  function addBatch({ commits }: PackBatch, drafts: readonly PackDraft[]): void {
    const add = (type: ObjectType, oid: Oid, body: Buffer): void => {
      if (drafts.every((draft) => draft.has(oid))) return;
      const entry = toEntry(type, oid, body);
      for (const draft of drafts) draft.add(entry);
    };
    for (const commit of commits) {
      for (const blob of commit.blobs) add('blob', blob.oid, blob.body);
      for (const { path: directory, oid, edits } of commit.trees) {
        const tree = replicas.get(directory);
        if (!tree) throw new Error(`packer has no base for directory "${directory}"`);
        const table = new PieceTable(tree.sizeBytes);
        for (const edit of edits) {
          tree.apply(edit);
          table.apply(edit);
        }
        const step = table.toPieces();
        let made: WholeEntry | undefined;
        const whole = (): WholeEntry => (made ??= toEntry('tree', oid, tree.content));
        for (const draft of drafts) draft.addTree({ path: directory, oid, sizeBytes: tree.sizeBytes, step, whole });
      }
      add('commit', commit.oid, commit.body);
    }
  }

  return {
    pack,
    seal() {
      open = undefined;
    },
    reset() {
      replicas = new Map();
      open = undefined;
    },
  };
}

function toEntry(type: ObjectType, oid: Oid, body: Buffer): WholeEntry {
  const bytes = encodePackEntry(TYPE_NUMBER[type], body, deflate(body));
  return { oid, bytes, crc: crc32(bytes) };
}
