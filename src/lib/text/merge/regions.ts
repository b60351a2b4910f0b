// Three-way merge of sequences (diff3): which parts of the result come from which side. Clean where git's
// `merge-file` is clean; where git sees a conflict because two changes only touch, `parts` says so.
import { findChanges, type MergeAllowance, type Sequence, type SequenceChange } from './changes.ts';

/** A half-open range of a sequence. */
export interface Span {
  start: number;
  end: number;
}

/** A part of the result. `both` are changes of both sides that overlap; the same change of both sides is `ours`. */
export interface Region {
  from: 'base' | 'ours' | 'theirs' | 'both';
  base: Span;
  ours: Span;
  theirs: Span;
}

interface SideChange extends SequenceChange {
  side: 'ours' | 'theirs';
}

/** What counts as overlapping: also changes that touch, as in git, or only changes of the same items. */
export type Overlap = 'touching' | 'sharing';

/** In order; together they cover all three sequences. */
export function findRegions(
  base: Sequence,
  ours: Sequence,
  theirs: Sequence,
  overlap: Overlap,
  allowance: MergeAllowance,
): Region[] {
  const changes: SideChange[] = [
    ...findChanges(base, ours, allowance).map((change): SideChange => ({ ...change, side: 'ours' })),
    ...findChanges(base, theirs, allowance).map((change): SideChange => ({ ...change, side: 'theirs' })),
  ].sort((a, b) => a.at - b.at || a.at + a.length - (b.at + b.length));
  const regions: Region[] = [];
  /** Start of the next region in each sequence. */
  const done = { base: 0, ours: 0, theirs: 0 };
  const add = (from: Region['from'], end: typeof done): void => {
    const span = (key: keyof typeof done): Span => ({ start: done[key], end: end[key] });
    regions.push({ from, base: span('base'), ours: span('ours'), theirs: span('theirs') });
    Object.assign(done, end);
  };
  const addBase = (until: number): void => {
    const length = until - done.base;
    if (length > 0) add('base', { base: until, ours: done.ours + length, theirs: done.theirs + length });
  };
  for (let i = 0; i < changes.length; ) {
    const group = [changes[i]!];
    let end = changes[i]!.at + changes[i]!.length;
    for (i++; i < changes.length && isNear(group, end, changes[i]!, overlap); i++) {
      group.push(changes[i]!);
      end = Math.max(end, changes[i]!.at + changes[i]!.length);
    }
    addBase(group[0]!.at);
    const sides = new Set(group.map(({ side }) => side));
    const grown = (side: SideChange['side']): number =>
      group.reduce((sum, one) => (one.side === side ? sum + one.newLength - one.length : sum), 0);
    const length = end - done.base;
    const spans = {
      base: end,
      ours: done.ours + length + grown('ours'),
      theirs: done.theirs + length + grown('theirs'),
    };
    if (sides.size === 1) add(group[0]!.side, spans);
    else add(isSame(ours, theirs, done, spans) ? 'ours' : 'both', spans);
  }
  addBase(base.length);
  return regions;
}

function isNear(group: readonly SideChange[], end: number, next: SideChange, overlap: Overlap): boolean {
  if (next.at < end) return true;
  if (next.at > end) return false;
  if (overlap === 'touching') return true;
  // Two insertions at one place, in no order; a change and an insertion beside it have one.
  return next.length === 0 && group.some((one) => one.length === 0 && one.at === next.at && one.side !== next.side);
}

function isSame(
  ours: Sequence,
  theirs: Sequence,
  start: { ours: number; theirs: number },
  end: { ours: number; theirs: number },
): boolean {
  if (end.ours - start.ours !== end.theirs - start.theirs) return false;
  for (let i = start.ours, j = start.theirs; i < end.ours; i++, j++) if (ours[i] !== theirs[j]) return false;
  return true;
}
