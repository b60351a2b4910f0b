// Differences between two sequences of numbers, one small number for each distinct line or word. The steps are those of git's
// xdiff (Myers' algorithm on both ends, lines without a counterpart set aside first, groups moved to where both sides
// agree), because a merge is clean in git only if its differences lie where git sees them. Work is bounded: when the
// allowance is spent, what has not been compared counts as changed.

/** `length` items of the old sequence from `at` on become `newLength` items of the new one, from `newAt` on. */
export interface SequenceChange {
  at: number;
  length: number;
  newAt: number;
  newLength: number;
}

/** Steps that are left, shared by all comparisons of one merge. */
export interface MergeAllowance {
  steps: number;
}

export type Sequence = Int32Array;

/** One side of a comparison: its items, and which of them have no counterpart. */
interface Side {
  items: Sequence;
  changed: Uint8Array;
}

/** The items of a side that are worth comparing: their values, and their places in the whole side. */
interface Candidates {
  values: Int32Array;
  places: Int32Array;
}

/** An item that occurs more often on the other side does not count as a counterpart if its neighbours have none. */
const MAX_EQUAL_ITEMS = 1024;
const NEIGHBOURS = 100;
const CERTAIN_SHARE = 4;
/** How many differences an exact comparison may look for at once, at least. */
const MIN_COST = 256;

/** In the order of the sequences; no two of them touch. */
export function findChanges(before: Sequence, after: Sequence, allowance: MergeAllowance): SequenceChange[] {
  const old: Side = { items: before, changed: new Uint8Array(before.length + 1) };
  const now: Side = { items: after, changed: new Uint8Array(after.length + 1) };
  const [oldOnes, nowOnes] = findCandidates(old, now, allowance);
  compare(old, now, oldOnes, nowOnes, allowance);
  moveGroups(old, now);
  moveGroups(now, old);
  return listChanges(old, now);
}

function findCandidates(old: Side, now: Side, allowance: MergeAllowance): [Candidates, Candidates] {
  const [a, b] = [old.items, now.items];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < shorter - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  let most = 0;
  for (const item of a) if (item > most) most = item;
  for (const item of b) if (item > most) most = item;
  const [oldCounts, nowCounts] = [countItems(a, most), countItems(b, most)];
  return [
    setAside(old, { start, end: a.length - tail }, nowCounts, allowance),
    setAside(now, { start, end: b.length - tail }, oldCounts, allowance),
  ];
}

function countItems(items: Sequence, most: number): Uint32Array {
  const counts = new Uint32Array(most + 1);
  for (const item of items) counts[item]!++;
  return counts;
}

const NONE = 0;
const SOME = 1;
const MANY = 2;

/** Marks items without counterparts as changed, and returns the others. */
function setAside(
  side: Side,
  { start, end }: { start: number; end: number },
  counts: Uint32Array,
  allowance: MergeAllowance,
): Candidates {
  const many = Math.min(roughRoot(side.items.length), MAX_EQUAL_ITEMS);
  const kinds = new Uint8Array(end);
  for (let i = start; i < end; i++) {
    const count = counts[side.items[i]!]!;
    kinds[i] = count === 0 ? NONE : count >= many ? MANY : SOME;
  }
  const places = new Int32Array(Math.max(0, end - start));
  const values = new Int32Array(places.length);
  let kept = 0;
  for (let i = start; i < end; i++) {
    const isKept =
      kinds[i] === SOME || (kinds[i] === MANY && !isAmongChanged(kinds, i, { start, last: end - 1 }, allowance));
    if (isKept) {
      places[kept] = i;
      values[kept++] = side.items[i]!;
    } else side.changed[i] = 1;
  }
  return { values: values.subarray(0, kept), places: places.subarray(0, kept) };
}

function isAmongChanged(
  kinds: Uint8Array,
  at: number,
  { start, last }: { start: number; last: number },
  allowance: MergeAllowance,
): boolean {
  if (allowance.steps <= 0) return false;
  const look = (step: number, limit: number): [number, number] => {
    let [none, many] = [0, 1];
    for (let i = at + step; step < 0 ? i >= limit : i <= limit; i += step) {
      if (kinds[i] === NONE) none++;
      else if (kinds[i] === MANY) many++;
      else break;
      allowance.steps--;
    }
    return [none, many];
  };
  const [noneBefore, manyBefore] = look(-1, Math.max(start, at - NEIGHBOURS));
  if (noneBefore === 0) return false;
  const [noneAfter, manyAfter] = look(1, Math.min(last, at + NEIGHBOURS));
  if (noneAfter === 0) return false;
  const many = manyBefore + manyAfter;
  return many * CERTAIN_SHARE < many + noneBefore + noneAfter;
}

/** A power of two near the square root. */
function roughRoot(n: number): number {
  let root = 1;
  for (let rest = n; rest > 0; rest >>= 2) root <<= 1;
  return root;
}

/** A part of both sides' candidates that is still to be compared. `isExact`: the cost is known to be bounded. */
interface CompareBox {
  a: number;
  aEnd: number;
  b: number;
  bEnd: number;
  isExact: boolean;
}

/** Furthest positions on each diagonal, from both ends. Diagonals may be negative, hence the origin. */
interface Frontiers {
  forward: Int32Array;
  backward: Int32Array;
  origin: number;
  maxCost: number;
}

function compare(old: Side, now: Side, ones: Candidates, others: Candidates, allowance: MergeAllowance): void {
  const [a, b] = [ones.values, others.values];
  const diagonals = a.length + b.length + 3;
  const frontiers: Frontiers = {
    forward: new Int32Array(2 * diagonals + 2),
    backward: new Int32Array(2 * diagonals + 2),
    origin: b.length + 1,
    maxCost: Math.max(roughRoot(diagonals), MIN_COST),
  };
  const boxes: CompareBox[] = [{ a: 0, aEnd: a.length, b: 0, bEnd: b.length, isExact: false }];
  for (let box = boxes.pop(); box; box = boxes.pop()) {
    while (box.a < box.aEnd && box.b < box.bEnd && a[box.a] === b[box.b]) {
      box.a++;
      box.b++;
    }
    while (box.a < box.aEnd && box.b < box.bEnd && a[box.aEnd - 1] === b[box.bEnd - 1]) {
      box.aEnd--;
      box.bEnd--;
    }
    const split =
      box.a < box.aEnd && box.b < box.bEnd && allowance.steps > 0 ? findSplit(a, b, box, frontiers, allowance) : null;
    if (split) {
      const { a: middle, b: bMiddle } = split;
      boxes.push({ ...box, a: middle, b: bMiddle, isExact: split.isExactAfter });
      boxes.push({ ...box, aEnd: middle, bEnd: bMiddle, isExact: split.isExactBefore });
      continue;
    }
    for (let i = box.a; i < box.aEnd; i++) old.changed[ones.places[i]!] = 1;
    for (let i = box.b; i < box.bEnd; i++) now.changed[others.places[i]!] = 1;
  }
}

interface Split {
  a: number;
  b: number;
  isExactBefore: boolean;
  isExactAfter: boolean;
}

/** The middle of the shortest path through the box; a good guess if finding it costs too much. */
function findSplit(
  a: Int32Array,
  b: Int32Array,
  box: CompareBox,
  frontiers: Frontiers,
  allowance: MergeAllowance,
): Split | null {
  const { forward, backward, origin, maxCost } = frontiers;
  const [minDiagonal, maxDiagonal] = [box.a - box.bEnd, box.aEnd - box.b];
  const [from, to] = [box.a - box.b, box.aEnd - box.bEnd];
  const isOdd = ((from - to) & 1) !== 0;
  let [fMin, fMax, bMin, bMax] = [from, from, to, to];
  forward[origin + from] = box.a;
  backward[origin + to] = box.aEnd;
  for (let cost = 1; ; cost++) {
    if (fMin > minDiagonal) forward[origin + --fMin - 1] = -1;
    else fMin++;
    if (fMax < maxDiagonal) forward[origin + ++fMax + 1] = -1;
    else fMax--;
    for (let d = fMax; d >= fMin; d -= 2) {
      const [left, right] = [forward[origin + d - 1]!, forward[origin + d + 1]!];
      let i = left >= right ? left + 1 : right;
      const first = i;
      for (let j = i - d; i < box.aEnd && j < box.bEnd && a[i] === b[j]; j++) i++;
      allowance.steps -= 1 + i - first;
      forward[origin + d] = i;
      if (isOdd && bMin <= d && d <= bMax && backward[origin + d]! <= i)
        return { a: i, b: i - d, isExactBefore: true, isExactAfter: true };
    }
    if (bMin > minDiagonal) backward[origin + --bMin - 1] = 0x7fffffff;
    else bMin++;
    if (bMax < maxDiagonal) backward[origin + ++bMax + 1] = 0x7fffffff;
    else bMax--;
    for (let d = bMax; d >= bMin; d -= 2) {
      const [left, right] = [backward[origin + d - 1]!, backward[origin + d + 1]!];
      let i = left < right ? left : right - 1;
      const first = i;
      for (let j = i - d; i > box.a && j > box.b && a[i - 1] === b[j - 1]; j--) i--;
      allowance.steps -= 1 + first - i;
      backward[origin + d] = i;
      if (!isOdd && fMin <= d && d <= fMax && i <= forward[origin + d]!)
        return { a: i, b: i - d, isExactBefore: true, isExactAfter: true };
    }
    if (allowance.steps <= 0) return null;
    if (!box.isExact && cost >= maxCost) return guessSplit(box, frontiers, { fMin, fMax, bMin, bMax });
  }
}

interface Reached {
  fMin: number;
  fMax: number;
  bMin: number;
  bMax: number;
}

/** The furthest point that either end reached. */
function guessSplit(
  box: CompareBox,
  { forward, backward, origin }: Frontiers,
  { fMin, fMax, bMin, bMax }: Reached,
): Split {
  let [furthest, furthestAt] = [-1, -1];
  for (let d = fMax; d >= fMin; d -= 2) {
    let i = Math.min(forward[origin + d]!, box.aEnd);
    if (box.bEnd < i - d) i = box.bEnd + d;
    if (furthest < i + i - d) [furthest, furthestAt] = [i + i - d, i];
  }
  let [nearest, nearestAt] = [0x7fffffff, 0x7fffffff];
  for (let d = bMax; d >= bMin; d -= 2) {
    let i = Math.max(box.a, backward[origin + d]!);
    if (i - d < box.b) i = box.b + d;
    if (i + i - d < nearest) [nearest, nearestAt] = [i + i - d, i];
  }
  return box.aEnd + box.bEnd - nearest < furthest - (box.a + box.b)
    ? { a: furthestAt, b: furthest - furthestAt, isExactBefore: true, isExactAfter: false }
    : { a: nearestAt, b: nearest - nearestAt, isExactBefore: false, isExactAfter: true };
}

/** A run of changed items, possibly empty, between two unchanged ones. */
class Group {
  #side: Side;
  start = 0;
  end = 0;

  constructor(side: Side) {
    this.#side = side;
    while (side.changed[this.end]) this.end++;
  }

  next(): boolean {
    const { items, changed } = this.#side;
    if (this.end === items.length) return false;
    this.start = this.end + 1;
    for (this.end = this.start; changed[this.end]; ) this.end++;
    return true;
  }

  previous(): boolean {
    if (this.start === 0) return false;
    this.end = this.start - 1;
    for (this.start = this.end; this.start > 0 && this.#side.changed[this.start - 1]; ) this.start--;
    return true;
  }

  slideDown(): boolean {
    const { items, changed } = this.#side;
    if (this.end >= items.length || items[this.start] !== items[this.end]) return false;
    changed[this.start++] = 0;
    changed[this.end++] = 1;
    while (changed[this.end]) this.end++;
    return true;
  }

  slideUp(): boolean {
    const { items, changed } = this.#side;
    if (this.start === 0 || items[this.start - 1] !== items[this.end - 1]) return false;
    changed[--this.start] = 1;
    changed[--this.end] = 0;
    while (this.start > 0 && changed[this.start - 1]) this.start--;
    return true;
  }
}

/**
 * Moves each group down as far as equal items let it, merging it with its neighbours, and back up to the last place
 * where the other side has a group too.
 */
function moveGroups(side: Side, otherSide: Side): void {
  const group = new Group(side);
  const other = new Group(otherSide);
  do {
    if (group.end === group.start) continue;
    let [size, earliestEnd, matchingEnd] = [0, 0, -1];
    do {
      size = group.end - group.start;
      matchingEnd = -1;
      while (group.slideUp()) other.previous();
      earliestEnd = group.end;
      if (other.end > other.start) matchingEnd = group.end;
      while (group.slideDown()) {
        other.next();
        if (other.end > other.start) matchingEnd = group.end;
      }
    } while (size !== group.end - group.start);
    if (group.end === earliestEnd || matchingEnd === -1) continue;
    while (other.end === other.start) {
      group.slideUp();
      other.previous();
    }
  } while (group.next() && (other.next() || true));
}

function listChanges(old: Side, now: Side): SequenceChange[] {
  const changes: SequenceChange[] = [];
  let [i, j] = [0, 0];
  while (i < old.items.length || j < now.items.length) {
    const [at, newAt] = [i, j];
    while (i < old.items.length && old.changed[i]) i++;
    while (j < now.items.length && now.changed[j]) j++;
    if (i > at || j > newAt) changes.push({ at, length: i - at, newAt, newLength: j - newAt });
    else {
      i++;
      j++;
    }
  }
  return changes;
}
