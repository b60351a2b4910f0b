// Which blobs are versions of one file, and which trees of one directory: found by walking the commits. A tree that is a
// delta says itself what it changed, so a wide directory is not put together to look at one document in it.
import { type DeltaPiece, lengthOf } from '../git/delta.ts';
import { TYPE_NUMBER } from '../git/pack-entry.ts';
import { parseTree } from '../git/tree.ts';
import type { ObjectTable } from './objects.ts';

export interface BlobVersions {
  /** Blob to the one that took its place, -1 where none is known. */
  newer: Int32Array;
  /** Tree to one of the same directory before it. */
  older: Int32Array;
}

const OID_BYTES = 20;

/** Looks at the commits of packs that were not merged yet; what the others have in common they are deltas of already. */
export function findVersions(table: ObjectTable, breathe: () => void): BlobVersions {
  const newer = new Int32Array(table.count).fill(-1);
  const older = new Int32Array(table.count).fill(-1);
  const seen = new Uint8Array(table.count);

  function compare(before: number, after: number): void {
    if (after < 0 || before === after || seen[after]) return;
    seen[after] = 1;
    if (before >= 0 && older[after]! < 0) older[after] = before;
    const pairs = table.base[after]! >= 0 ? replacedByDelta(table, after) : replacedEntries(table, before, after);
    for (const [oldOid, newOid] of pairs) {
      const from = table.find(oldOid);
      const to = table.find(newOid);
      if (from < 0 || to < 0 || from === to) continue;
      if (table.type[from] !== table.type[to]) continue;
      if (table.type[to] === TYPE_NUMBER.tree) compare(from, to);
      else if (newer[from]! < 0) newer[from] = to;
    }
  }

  for (const object of table.order) {
    if (table.type[object] !== TYPE_NUMBER.commit || table.isMerged(object)) continue;
    breathe();
    const { tree, parent } = headOf(table.body(object));
    const before = parent ? table.find(parent) : -1;
    compare(before < 0 ? -1 : table.find(headOf(table.body(before)).tree), table.find(tree));
  }
  return { newer, older };
}

/** `tree <id>\n`, then `parent <id>\n` where there is one. */
function headOf(commit: Buffer): { tree: Buffer; parent: Buffer | undefined } {
  const tree = Buffer.from(commit.toString('latin1', 5, 45), 'hex');
  if (commit.toString('latin1', 46, 53) !== 'parent ') return { tree, parent: undefined };
  return { tree, parent: Buffer.from(commit.toString('latin1', 53, 93), 'hex') };
}

type Pair = [before: Buffer, after: Buffer];

/** What a tree's delta put in the place of what. */
function* replacedByDelta(table: ObjectTable, tree: number): Generator<Pair> {
  const base = table.base[tree]!;
  const { pieces, baseSize } = table.pieces(tree);
  let copiedTo = 0;
  let given: Buffer[] = [];
  for (const piece of [...pieces, { at: baseSize, length: 0 }] as DeltaPiece[]) {
    if ('bytes' in piece) {
      given.push(piece.bytes);
      continue;
    }
    if (given.length && piece.at > copiedTo) {
      const after = given.length === 1 ? given[0]! : Buffer.concat(given);
      yield* pairUp(table.range(base, copiedTo, piece.at - copiedTo), after);
    }
    given = [];
    copiedTo = piece.at + lengthOf(piece);
  }
}

/** Our deltas begin and end at an entry, or span the ids alone; what others' do is not taken apart. */
function pairUp(before: Buffer, after: Buffer): Iterable<Pair> {
  if (before.length === OID_BYTES && after.length === OID_BYTES) return [[before, after]];
  return looksLikeEntries(before) && looksLikeEntries(after) ? pairByName(before, after) : [];
}

function replacedEntries(table: ObjectTable, before: number, after: number): Iterable<Pair> {
  return before < 0 ? [] : pairByName(table.body(before), table.body(after));
}

function* pairByName(before: Buffer, after: Buffer): Generator<Pair> {
  const known = new Map(parseTree(before).map(({ name, oid }) => [name, oid]));
  for (const { name, oid } of parseTree(after)) {
    const old = known.get(name);
    if (old && old !== oid) yield [Buffer.from(old, 'hex'), Buffer.from(oid, 'hex')];
  }
}

function looksLikeEntries(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.length) {
    if (!/^(?:100644|100755|120000|160000|40000) $/.test(bytes.toString('latin1', at, bytes.indexOf(32, at) + 1))) {
      return false;
    }
    const zero = bytes.indexOf(0, at);
    if (zero < 0) return false;
    at = zero + 1 + OID_BYTES;
  }
  return at === bytes.length;
}
