// The numbers by which terms name documents: page times SLOTS plus a slot. Pages follow time and end at documents that
// their own addresses choose, and slots are chosen by address too, so that a document that comes or goes moves few
// others. A pure function of addresses and times; must not depend on an order of arrival.

export interface Numbered {
  path: string;
  /** In whole seconds. */
  seconds: number;
}

/** Numbers in a page: twice as many as documents, so that few documents want the same one. */
export const SLOTS = 80;
/** Pages have some thirty-five documents: a list of results loads one page for each result in the worst case. */
const PAGE_CHANCE = 48;
const PAGE_MOST = 64;

/** Each document's number, in the order of time, oldest first. */
export function assignNumbers<T extends Numbered>(documents: Iterable<T>): Map<T, number> {
  const keyed = Array.from(documents, (document) => ({ document, key: keyOf(document.path) }));
  keyed.sort(({ document: a }, { document: b }) => a.seconds - b.seconds || (a.path < b.path ? -1 : 1));
  const numbers = new Map<T, number>();
  for (let from = 0, page = 0; from < keyed.length; page++) {
    let to = from + 1;
    while (to < keyed.length && to - from < PAGE_MOST && keyed[to]!.key % PAGE_CHANCE !== 0) to++;
    const slots = assignSlots(keyed.slice(from, to));
    for (let at = from; at < to; at++) numbers.set(keyed[at]!.document, page * SLOTS + slots.get(keyed[at]!)!);
    from = to;
  }
  return numbers;
}

interface Keyed {
  document: Numbered;
  key: number;
}

/** The slot that the key names, else the next free one; the smaller key chooses first. */
function assignSlots<T extends Keyed>(page: readonly T[]): Map<T, number> {
  const taken = new Map<number, T>();
  const slots = new Map<T, number>();
  const inOrder = [...page].sort((a, b) => a.key - b.key || (a.document.path < b.document.path ? -1 : 1));
  for (const one of inOrder) {
    let slot = Math.floor(one.key / PAGE_CHANCE) % SLOTS;
    while (taken.has(slot)) slot = (slot + 1) % SLOTS;
    taken.set(slot, one);
    slots.set(one, slot);
  }
  return slots;
}

/** FNV-1a with a last stir: ten times as fast as a hash that nobody can choose, which this need not be. */
function keyOf(path: string): number {
  let key = 0x811c9dc5;
  for (let at = 0; at < path.length; at++) key = Math.imul(key ^ path.charCodeAt(at), 0x01000193);
  key = Math.imul(key ^ (key >>> 16), 0x85ebca6b);
  key = Math.imul(key ^ (key >>> 13), 0xc2b2ae35);
  return (key ^ (key >>> 16)) >>> 0;
}
