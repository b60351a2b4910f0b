// Finds files and folders by path in trees that are read from the repository. A tree is searched by bisection over the
// remembered places of some of its entries: parsing one of 100,000 entries would block the event loop for 150 ms.
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import type { Oid } from './objects.ts';
import { parseTree, TREE_MODE } from './tree.ts';

export interface FoundEntry {
  mode: string;
  oid: Oid;
}

export interface TreeLookup {
  entry(tree: Oid, name: string): FoundEntry | undefined;
  /** A file or folder below a root. */
  find(root: Oid, path: string): FoundEntry | undefined;
}

type FindEntry = (name: string) => FoundEntry | undefined;

const TREES_KEPT = 16;
/** Entries between two remembered places. */
const ENTRIES_APART = 16;
const [SPACE, SLASH, DIRECTORY] = [32, 47, 52];
const [ZERO, NINE] = [48, 57];
const NOT_IN_NAMES = /[\0/]/;
const OID_BYTES = 20;

export function createTreeLookup(readTree: (oid: Oid) => Buffer): TreeLookup {
  const trees = createBoundedMap<Oid, FindEntry>(TREES_KEPT);

  function entry(tree: Oid, name: string): FoundEntry | undefined {
    let find = trees.get(tree);
    if (!find) {
      find = createFind(readTree(tree));
      trees.set(tree, find);
    }
    return find(name);
  }

  return {
    entry,
    find(root, path) {
      let found: FoundEntry | undefined = { mode: TREE_MODE, oid: root };
      for (const name of path.split('/')) found = found?.mode === TREE_MODE ? entry(found.oid, name) : undefined;
      return found;
    },
  };
}

/** @throws if the tree is damaged */
function createFind(content: Buffer): FindEntry {
  const starts: number[] = [];
  let previous = -1;
  let count = 0;
  for (let at = 0; at < content.length; ) {
    const end = endOfPlain(content, at);
    // A tree that another program wrote may contain anything, in any order.
    if (end < 0 || (previous >= 0 && compareEntries(content, previous, at) >= 0)) return findInMap(content);
    if (count++ % ENTRIES_APART === 0) starts.push(at);
    previous = at;
    at = end;
  }
  return (name) => {
    if (name === '' || NOT_IN_NAMES.test(name)) return undefined;
    const bytes = Buffer.from(name);
    // A folder sorts differently from a file with the same name.
    return bisect(content, starts, bytes) ?? bisect(content, starts, Buffer.concat([bytes, Buffer.of(SLASH)]));
  };
}

function findInMap(content: Buffer): FindEntry {
  const byName = new Map(parseTree(content).map(({ name, mode, oid }) => [name, { mode, oid }]));
  return (name) => byName.get(name);
}

/** `key`: the name, followed by a slash for a folder. */
function bisect(content: Buffer, starts: readonly number[], key: Buffer): FoundEntry | undefined {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compareToKey(content, starts[middle]!, key) <= 0) low = middle + 1;
    else high = middle;
  }
  if (low === 0) return undefined;
  const end = starts[low] ?? content.length;
  for (let at = starts[low - 1]!; at < end; ) {
    const next = endOf(content, at);
    const order = compareToKey(content, at, key);
    if (order === 0) {
      const mode = content.toString('latin1', at, nameOf(content, at) - 1);
      return { mode, oid: content.toString('hex', next - OID_BYTES, next) };
    }
    if (order > 0) return undefined;
    at = next;
  }
  return undefined;
}

/**
 * Returns -1 for an entry that git would not write: a mode has five or six digits, and no name is empty or has a slash.
 */
function endOfPlain(content: Buffer, at: number): number {
  let place = at;
  while (content[place]! >= ZERO && content[place]! <= NINE) place++;
  const digits = place - at;
  if (digits < 5 || digits > 6 || content[place] !== SPACE) return -1;
  const name = ++place;
  for (; place < content.length && content[place] !== 0; place++) if (content[place] === SLASH) return -1;
  const end = place + 1 + OID_BYTES;
  return place === name || end > content.length ? -1 : end;
}

/** The start of a plain entry's name. */
function nameOf(content: Buffer, at: number): number {
  return content[at + 5] === SPACE ? at + 6 : at + 7;
}

function endOf(content: Buffer, at: number): number {
  return content.indexOf(0, nameOf(content, at)) + 1 + OID_BYTES;
}

function compareEntries(content: Buffer, one: number, other: number): number {
  let [left, right] = [nameOf(content, one), nameOf(content, other)];
  while (content[left] === content[right] && content[left] !== 0) {
    left++;
    right++;
  }
  return byteAt(content, one, left) - byteAt(content, other, right);
}

function compareToKey(content: Buffer, at: number, key: Buffer): number {
  let place = nameOf(content, at);
  for (const wanted of key) {
    const byte = byteAt(content, at, place++);
    if (byte !== wanted) return byte - wanted;
  }
  // A folder's slash is the last byte of the key, and is not in the tree.
  return content[place - 1] === 0 ? 0 : byteAt(content, at, place);
}

/** The byte of the entry's name at `place`, as trees are ordered: after a folder's name comes a slash. */
function byteAt(content: Buffer, at: number, place: number): number {
  const byte = content[place]!;
  return byte === 0 && content[at] === DIRECTORY ? SLASH : byte;
}
