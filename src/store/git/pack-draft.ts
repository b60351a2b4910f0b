// A pack in memory, object by object. Trees of one directory are deltas against their predecessor, in short chains that
// hang on anchors, which form chains of their own, and so on up to the pack's one full copy: any tree is a few dozen
// deltas away from it at most. Must not touch a disk.
import { hash } from 'node:crypto';
import { deltaBytes, encodeDelta, type Pieces } from './delta.ts';
import type { Oid } from './objects.ts';
import { crc32, deflate, encodePackEntry, OFS_DELTA, storeUncompressed } from './pack-entry.ts';
import { encodeSortedEntries, type IndexEntry, NO_ENTRIES, withEntries } from './pack-index.ts';
import { createTreeChain, type TreeChain } from './tree-chain.ts';

/** An object as it is stored in any pack: its bytes are not a delta, so they depend on no other object. */
export interface WholeEntry {
  oid: Oid;
  bytes: Buffer;
  crc: number;
}

/** A directory's tree after a commit. */
export interface DraftTree {
  path: string;
  oid: Oid;
  sizeBytes: number;
  /** The delta from the directory's previous tree to this one. */
  step: Pieces;
  /** Makes the full copy, if it is needed. */
  whole(): WholeEntry;
}

export interface PackDraft {
  /** Size of the pack file that `encode` makes. */
  readonly sizeBytes: number;
  /** Size of the full copies of trees in it. */
  readonly wholeTreeBytes: number;
  has(oid: Oid): boolean;
  add(entry: WholeEntry): number;
  addTree(tree: DraftTree): void;
  /** Call this if the directory's next tree does not follow from its last one. */
  breakChain(path: string): void;
  encode(): { name: string; pack: Buffer[]; index: Buffer };
}

const HEADER_BYTES = 12;
const CHECKSUM_BYTES = 20;
/** Trees below this are written whole: a delta would save nothing. */
const WHOLE_TREE_BYTES = 160;

export function createPackDraft(): PackDraft {
  const body: Buffer[] = [];
  const offsets = new Map<Oid, number>();
  const chains = new Map<string, TreeChain>();
  let added: IndexEntry[] = [];
  let entries = NO_ENTRIES;
  let end = HEADER_BYTES;
  let wholeTreeBytes = 0;

  function add({ oid, bytes, crc }: WholeEntry): number {
    const known = offsets.get(oid);
    if (known !== undefined) return known;
    const offset = end;
    offsets.set(oid, offset);
    added.push({ oid, crc, offset });
    body.push(bytes);
    end += bytes.length;
    return offset;
  }

  function addDelta(oid: Oid, delta: Buffer, base: number): number {
    const data = delta.length > 512 ? deflate(delta) : storeUncompressed(delta);
    const bytes = encodePackEntry(OFS_DELTA, delta, data, end - base);
    return add({ oid, bytes, crc: crc32(bytes) });
  }

  return {
    get sizeBytes() {
      return end + CHECKSUM_BYTES;
    },
    get wholeTreeBytes() {
      return wholeTreeBytes;
    },
    has: (oid) => offsets.has(oid),
    add,
    addTree({ path, oid, sizeBytes, step, whole }) {
      const chain = chains.get(path);
      chain?.change(step);
      // The directory is back at an earlier state: the next change's delta includes this step.
      if (offsets.has(oid)) return;
      if (sizeBytes < WHOLE_TREE_BYTES) {
        add(whole());
        chains.delete(path);
        return;
      }
      const next = chain?.next();
      if (chain && next && deltaBytes(next.delta) < sizeBytes >> 1) {
        chain.added(addDelta(oid, encodeDelta(next.delta), next.base));
        return;
      }
      const entry = whole();
      wholeTreeBytes += entry.bytes.length;
      chains.set(path, createTreeChain(add(entry)));
    },
    breakChain: (path) => void chains.delete(path),
    encode() {
      const header = Buffer.alloc(HEADER_BYTES);
      header.write('PACK', 0, 'latin1');
      header.writeUInt32BE(2, 4);
      header.writeUInt32BE(offsets.size, 8);
      const sum = Buffer.concat([header, ...body], end);
      const checksum = hash('sha1', sum, 'buffer');
      entries = withEntries(entries, added);
      added = [];
      body.splice(0, body.length, sum.subarray(HEADER_BYTES));
      return {
        name: `pack-${checksum.toString('hex')}`,
        pack: [sum, checksum],
        index: encodeSortedEntries(entries, checksum),
      };
    },
  };
}
