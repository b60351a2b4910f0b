// Two people's changes of one value in one value, if they touch different places. Pure.
import { diffArrays } from 'diff';
import { isEqual } from './is-equal.ts';

const MAX_DIFFERENCES = 2000;

/** Texts merge by lines, then by words; lists by items. Undefined if both changed the same place, or it is neither. */
export function mergeValues(base: unknown, mine: unknown, theirs: unknown): unknown {
  if (typeof base === 'string' && typeof mine === 'string' && typeof theirs === 'string') {
    return mergeTexts(base, mine, theirs);
  }
  if (Array.isArray(base) && Array.isArray(mine) && Array.isArray(theirs)) return merge(base, mine, theirs, isEqual);
  return undefined;
}

export function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  for (const split of [toLines, toWords]) {
    const merged = merge(split(base), split(mine), split(theirs), Object.is);
    if (merged) return merged.join('');
  }
  return undefined;
}

/** With their ends, so that joining them gives the text back. */
function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function toWords(text: string): string[] {
  return text.match(/\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu) ?? [];
}

/** Items `from` to `to` of the base become `items`. */
interface Hunk<T> {
  from: number;
  to: number;
  items: readonly T[];
}

type IsSame<T> = (a: T, b: T) => boolean;

function merge<T>(base: T[], mine: T[], theirs: T[], isSame: IsSame<T>): T[] | undefined {
  const [ours, others] = [toHunks(base, mine, isSame), toHunks(base, theirs, isSame)];
  if (!ours || !others) return undefined;
  const all = [...ours, ...others].sort((a, b) => a.from - b.from || a.to - b.to);
  const merged: T[] = [];
  let at = 0;
  let last: Hunk<T> | undefined;
  for (const hunk of all) {
    if (last && isSameHunk(last, hunk, isSame)) continue;
    // Changes that only touch each other are one place as well: who can say which comes first?
    if (last && hunk.from <= last.to) return undefined;
    merged.push(...base.slice(at, hunk.from), ...hunk.items);
    at = hunk.to;
    last = hunk;
  }
  return [...merged, ...base.slice(at)];
}

function isSameHunk<T>(a: Hunk<T>, b: Hunk<T>, isSame: IsSame<T>): boolean {
  return (
    a.from === b.from &&
    a.to === b.to &&
    a.items.length === b.items.length &&
    a.items.every((item, index) => isSame(item, b.items[index] as T))
  );
}

/** Undefined if they differ too much to be compared while a person waits. */
function toHunks<T>(base: T[], changed: T[], isSame: IsSame<T>): Hunk<T>[] | undefined {
  const changes = diffArrays(base, changed, { comparator: isSame, maxEditLength: MAX_DIFFERENCES });
  if (!changes) return undefined;
  const hunks: Hunk<T>[] = [];
  let at = 0;
  let open: { from: number; to: number; items: T[] } | undefined;
  const close = (): void => {
    if (open) hunks.push(open);
    open = undefined;
  };
  for (const { added, removed, value } of changes) {
    if (!added && !removed) {
      close();
      at += value.length;
      continue;
    }
    open ??= { from: at, to: at, items: [] };
    if (added) open.items.push(...value);
    else {
      at += value.length;
      open.to = at;
    }
  }
  close();
  return hunks;
}
