// Finds the blobs that are versions of one file and the trees that are versions of one directory, by walking the
// commits. A delta of a tree shows which entries changed, so a wide directory need not be rebuilt to look at one
// document in it.
import { type DeltaPiece, lengthOf } from '../git/delta.ts';
import { TYPE_NUMBER } from '../git/pack-entry.ts';
import { parseTree } from '../git/tree.ts';
import type { ObjectTable } from './objects.ts';

export interface BlobVersions {
  /** Maps a blob to the blob that replaced it, or -1. */
  newer: Int32Array;
  /** Maps a tree to an earlier one of the same directory, or -1. */
  older: Int32Array;
}

const OID_BYTES = 20;

/** Walks the commits of packs that were not merged yet: in merged packs, versions are deltas of each other already. */
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

/** Parses `tree <id>\n`, then `parent <id>\n` unless it is a root commit. */
function headOf(commit: Buffer): { tree: Buffer; parent: Buffer | undefined } {
  const tree = Buffer.from(commit.toString('latin1', 5, 45), 'hex');
  if (commit.toString('latin1', 46, 53) !== 'parent ') return { tree, parent: undefined };
  return { tree, parent: Buffer.from(commit.toString('latin1', 53, 93), 'hex') };
}

type Pair = [before: Buffer, after: Buffer];

/** Pairs of an object id and the id that a tree's delta put in its place. */
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

/** Our deltas begin and end at an entry, or span only an id; other deltas are not analysed. */
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
