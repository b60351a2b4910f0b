// Which nodes of a document are those of an earlier state of it. Pure.
import type { Node } from 'prosemirror-model';

/** For each of `now` the index in `before` of the same node, or one that equals it, each used once; else -1. */
export function align(before: readonly Node[], now: readonly Node[]): number[] {
  const found = now.map(() => -1);
  const shorter = Math.min(before.length, now.length);
  let start = 0;
  while (start < shorter && isSame(before[start], now[start])) found[start] = start++;
  let end = 0;
  while (end < shorter - start && isSame(before.at(-1 - end), now.at(-1 - end))) {
    end++;
    found[now.length - end] = before.length - end;
  }
  const left = new Set(before.keys().filter((at) => at >= start && at < before.length - end));
  let last = start - 1;
  // The same node first, then an equal one, after the one found before it if there is one.
  for (let at = start; at < now.length - end; at++) {
    const index =
      findIn(before, left, last, (node) => node === now[at]) ?? findIn(before, left, last, (node) => node.eq(now[at]!));
    if (index === undefined) continue;
    found[at] = index;
    left.delete(index);
    last = index;
  }
  return found;
}

function isSame(one: Node | undefined, other: Node | undefined): boolean {
  return one !== undefined && other !== undefined && (one === other || one.eq(other));
}

function findIn(
  before: readonly Node[],
  left: Set<number>,
  last: number,
  isIt: (node: Node) => boolean,
): number | undefined {
  let earlier: number | undefined;
  for (const index of left) {
    if (!isIt(before[index]!)) continue;
    if (index > last) return index;
    earlier ??= index;
  }
  return earlier;
}

/**
 * For each of `now` without a match the nodes of `before` that it may have been made from: those that stood in its place,
 * beginning with the one as far from the match above.
 */
export function findSources(before: readonly Node[], found: readonly number[]): number[][] {
  const used = new Set(found);
  return found.map((index, at) => {
    if (index >= 0) return [];
    const above = found.slice(0, at).findLastIndex((other) => other >= 0);
    const below = found.findIndex((other, place) => place > at && other >= 0);
    const from = above < 0 ? 0 : found[above]! + 1;
    const to = below < 0 ? before.length : found[below]!;
    const free = Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i).filter((one) => !used.has(one));
    const place = Math.min(at - above - 1, free.length - 1);
    return free.length === 0 ? [] : [free[place]!, ...free.filter((_, i) => i !== place)];
  });
}
