// The pack of a push, written to a file first: it begins with the number of its objects, and hosts want to know its
// length. A directory's tree is a delta against the parent commit's, so that a change in a wide directory takes some
// dozen bytes and not the whole directory.

import type { Disk } from '../disk/disk.ts';
import { type DeltaPiece, deltaBytes, encodeDelta, toPieces } from '../git/delta.ts';
import type { Oid } from '../git/objects.ts';
import { deflate, encodePackEntry, OFS_DELTA, REF_DELTA, TYPE_NUMBER } from '../git/pack-entry.ts';
import type { Odb } from '../repository/odb.ts';
import { listNewObjects, type NewObject } from './histories.ts';

export interface PushPack {
  file: string;
  sizeBytes: number;
  objects: number;
}

/** Longest chain of deltas on deltas; after it comes a delta against the directory's first tree again. */
const CHAIN = 50;
const BLOCK = 4096;

/**
 * Writes the objects of these commits, oldest first, without the checksum at the end. `isThin`: deltas may build on
 * what the host has.
 */
export function writePushPack(disk: Disk, odb: Odb, commits: readonly Oid[], file: string, isThin: boolean): PushPack {
  disk.remove(file);
  const out = disk.beginFile(file);
  let isDone = false;
  try {
    const header = Buffer.alloc(12);
    header.write('PACK', 0, 'latin1');
    header.writeUInt32BE(2, 4);
    out.append(header);
    const trees = createTreeWriter(odb, isThin);
    let objects = 0;
    for (const object of listNewObjects(odb, commits)) {
      const { oid, type } = object;
      const at = out.sizeBytes;
      if (type === 'tree') out.append(trees.encode(object, at));
      else {
        const body = odb.get(oid, type);
        out.append(encodePackEntry(TYPE_NUMBER[type], body, deflate(body)));
      }
      objects++;
    }
    const count = Buffer.alloc(4);
    count.writeUInt32BE(objects, 0);
    out.replace(8, count);
    const { sizeBytes } = out;
    out.close();
    isDone = true;
    return { file, sizeBytes, objects };
  } finally {
    if (!isDone) out.abandon();
  }
}

interface WrittenObject {
  offset: number;
  depth: number;
}

function createTreeWriter(odb: Odb, isThin: boolean) {
  const written = new Map<Oid, WrittenObject>();
  /** The first tree that was written for each directory. */
  const anchors = new Map<string, WrittenObject & { oid: Oid }>();

  function encode({ oid, path = '', before, isFirst }: NewObject, at: number): Buffer {
    const body = odb.get(oid, 'tree');
    const previous = before ? written.get(before) : undefined;
    const anchor = anchors.get(path);
    if (before && previous && previous.depth < CHAIN) {
      const delta = treeDelta(odb.get(before, 'tree'), body);
      if (delta) return put(oid, at, previous.depth + 1, encodeOffsetDelta(delta, at - previous.offset));
    } else if (before && previous && anchor && anchor.depth < CHAIN) {
      const delta = treeDelta(odb.get(anchor.oid, 'tree'), body);
      if (delta) return put(oid, at, anchor.depth + 1, encodeOffsetDelta(delta, at - anchor.offset));
    } else if (before && isFirst && isThin && !previous) {
      const delta = treeDelta(odb.get(before, 'tree'), body);
      if (delta) {
        anchors.set(path, { oid, offset: at, depth: 1 });
        const data = Buffer.concat([Buffer.from(before, 'hex'), deflate(delta)]);
        return put(oid, at, 1, encodePackEntry(REF_DELTA, delta, data));
      }
    }
    anchors.set(path, { oid, offset: at, depth: 0 });
    return put(oid, at, 0, encodePackEntry(TYPE_NUMBER.tree, body, deflate(body)));
  }

  function put(oid: Oid, offset: number, depth: number, bytes: Buffer): Buffer {
    written.set(oid, { offset, depth });
    return bytes;
  }

  return { encode };
}

function encodeOffsetDelta(delta: Buffer, distance: number): Buffer {
  return encodePackEntry(OFS_DELTA, delta, deflate(delta), distance);
}

/** Returns undefined if the tree itself would not be much larger. */
export function treeDelta(before: Buffer, after: Buffer): Buffer | undefined {
  const pieces = toPieces(before.length, treeStretches(before, after));
  return deltaBytes(pieces) < after.length >> 1 ? encodeDelta(pieces) : undefined;
}

/** `after` as stretches of `before` and runs of entries that are not in it. */
function* treeStretches(before: Buffer, after: Buffer): Generator<DeltaPiece> {
  let [old, now] = [0, 0];
  while (old < before.length || now < after.length) {
    // Most of a wide directory is skipped as equal bytes.
    const same = sameStart(before, old, after, now);
    if (same) yield { at: old, length: same };
    [old, now] = [old + same, now + same];
    const from = now;
    for (;;) {
      const a = entryAt(before, old);
      const b = entryAt(after, now);
      if (!a && !b) break;
      if (a && b && a.key === b.key) {
        if (before.compare(after, now, b.end, old, a.end) === 0) break;
        [old, now] = [a.end, b.end];
      } else if (a && (!b || a.key < b.key)) old = a.end;
      else now = b!.end;
    }
    if (now > from) yield { bytes: after.subarray(from, now) };
  }
}

/** Counts equal bytes from two entry boundaries, and stops at an entry boundary. */
function sameStart(before: Buffer, old: number, after: Buffer, now: number): number {
  const limit = Math.min(before.length - old, after.length - now);
  let same = 0;
  while (
    same + BLOCK <= limit &&
    before.compare(after, now + same, now + same + BLOCK, old + same, old + same + BLOCK) === 0
  ) {
    same += BLOCK;
  }
  while (same < limit && before[old + same] === after[now + same]) same++;
  if (same === limit && old + same === before.length && now + same === after.length) return same;
  // Back to the end of the last whole entry, which can only be found from the left: an id may hold any byte.
  let end = 0;
  for (let zero = before.indexOf(0, old); zero >= 0 && zero + 21 - old <= same; zero = before.indexOf(0, zero + 21)) {
    end = zero + 21 - old;
  }
  return end;
}

function entryAt(tree: Buffer, at: number): { key: string; end: number } | undefined {
  if (at >= tree.length) return undefined;
  const space = tree.indexOf(32, at);
  const zero = tree.indexOf(0, space);
  if (space < 0 || zero < 0 || zero + 21 > tree.length) throw new Error('tree object is damaged');
  const name = tree.toString('latin1', space + 1, zero);
  return { key: space - at === 5 ? `${name}/` : name, end: zero + 21 };
}
