// Turns durable commits into packs. A pack may not depend on another one, so each has a full copy of every directory
// that its commits touch, and that copy is most of what a single write costs. Each batch becomes a separate pack.
// Meanwhile the contents of the last packs are kept in memory as one pack under way, in which their trees are deltas, and the
// pack is written once it can replace many of them. So an editor's single writes cost one copy of the tree each, and
// not a rewritten pack. Must not move refs: packer-thread.ts does that afterwards.
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
  /** Directory path, empty for the root. */
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
  /** For directories that the packer has not seen yet: their content before this batch. */
  bases: { path: string; content: Buffer }[];
}

export interface PackResult {
  /** Name of the pack that now holds the batch, `pack-<checksum>`. */
  name: string;
  /** Packs that it replaces, to be retired once the ref has moved. */
  replaces: readonly string[];
  /** Packs that a later one will replace. */
  open: readonly string[];
}

export interface Packer {
  pack(batch: PackBatch): PackResult;
  /** The next batch begins a new pack. */
  seal(): void;
  /** Forgets replicas and the open pack; the next batch must bring its bases again. */
  reset(): void;
}

/** The open pack is written once this many packs hold its batches: reading gets slower with each pack. */
const BATCHES = 32;
/** At this size the open pack is written, however few batches it holds, and closed. */
const FULL_BYTES = 8 << 20;
/** A written pack is closed if it replaces others, has at least this size ... */
const SEALED_BYTES = 256 << 10;
/** ... and at least this many times the size of its full copies of trees. */
const SEALED_TREES = 2;

/** The pack that the next batches are added to. */
interface OpenPack {
  draft: PackDraft;
  /**
   * The packs on the disk that hold its contents: its last written version, if any, and a pack for each batch since.
   */
  names: string[];
}

export function createPacker(disk: Disk, folder: string): Packer {
  let replicas = new Map<string, MutableTree>();
  let open: OpenPack | undefined;

  function pack(batch: PackBatch): PackResult {
    const { draft, names } = open ?? { draft: createPackDraft(), names: [] };
    open = undefined; // if something below fails, the half-extended draft is not used again
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
