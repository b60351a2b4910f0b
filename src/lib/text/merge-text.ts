// Merges two texts that were made from the same one: diff3 over lines, then over the words of lines that both sides
// changed. Pure. Must not put a change where its surroundings are gone: if in doubt, ours stays, and the result says so.
import { diffArrays } from 'diff';

export interface MergedText {
  text: string;
  /** False if a change of theirs is not in `text`. */
  isWhole: boolean;
}

/** Items `from` to `to` of the base, `to` excluded, became `items`. */
interface TextChange {
  from: number;
  to: number;
  items: readonly string[];
}

interface TextSide {
  changes: readonly TextChange[];
  /** The next change that is not in the result yet. */
  at: number;
}

/** More changed lines or words than this are not compared: the work grows with their square. */
const MOST_CHANGED = 1000;
/** A side that changed a larger part of the words rewrote the lines; single words of the other side have no place there. */
const MOST_REWRITTEN = 0.6;

/** Returns `ours` if too much has changed to compare. */
export function mergeText(base: string, ours: string, theirs: string): MergedText {
  if (ours === theirs || theirs === base) return { text: ours, isWhole: true };
  if (ours === base) return { text: theirs, isWhole: true };
  return merge(toLines(base), toLines(ours), toLines(theirs), mergeWords);
}

type ResolveText = (base: readonly string[], ours: readonly string[], theirs: readonly string[]) => MergedText;

function merge(base: readonly string[], ours: string[], theirs: string[], resolve: ResolveText): MergedText {
  const [mine, yours] = [changesOf(base, ours), changesOf(base, theirs)];
  if (!mine || !yours) return { text: ours.join(''), isWhole: false };
  const [left, right]: [TextSide, TextSide] = [
    { changes: mine, at: 0 },
    { changes: yours, at: 0 },
  ];
  const parts: string[] = [];
  const put = (items: readonly string[]): void => {
    for (const item of items) parts.push(item);
  };
  let isWhole = true;
  let done = 0;
  for (let region = nextRegion(left, right); region; region = nextRegion(left, right)) {
    const { from, to } = region;
    put(base.slice(done, from));
    done = to;
    const was = base.slice(from, to);
    const [our, their] = [apply(was, from, region.ours), apply(was, from, region.theirs)];
    if (region.theirs.length === 0 || isSame(our, their)) put(our);
    else if (region.ours.length === 0) put(their);
    else {
      const resolved = resolve(was, our, their);
      parts.push(resolved.text);
      isWhole &&= resolved.isWhole;
    }
  }
  put(base.slice(done));
  return { text: parts.join(''), isWhole };
}

const keepOurs: ResolveText = (_base, ours) => ({ text: ours.join(''), isWhole: false });

/** Lines that both sides changed, as words. */
const mergeWords: ResolveText = (base, ours, theirs) => {
  const words = [base, ours, theirs].map((lines) => toWords(lines.join(''))) as [string[], string[], string[]];
  const isRewritten = [words[1], words[2]].some((side) => shareChanged(words[0], side) > MOST_REWRITTEN);
  return isRewritten ? keepOurs(base, ours, theirs) : merge(...words, keepOurs);
};

function shareChanged(base: readonly string[], side: readonly string[]): number {
  const changes = changesOf(base, side) ?? [{ from: 0, to: base.length, items: side }];
  const removed = changes.reduce((sum, { from, to }) => sum + to - from, 0);
  return base.length === 0 ? 1 : removed / base.length;
}

/** The changes of both sides that overlap or touch each other, as git takes them together. */
function nextRegion(
  left: TextSide,
  right: TextSide,
): { from: number; to: number; ours: readonly TextChange[]; theirs: readonly TextChange[] } | undefined {
  const starts = [left, right].flatMap(({ changes, at }) => changes[at] ?? []);
  if (starts.length === 0) return undefined;
  const from = Math.min(...starts.map((change) => change.from));
  const begun = [left.at, right.at] as const;
  let to = from;
  const take = (side: TextSide): boolean => {
    const change = side.changes[side.at];
    if (!change || change.from > to) return false;
    to = Math.max(to, change.to);
    side.at++;
    return true;
  };
  while (take(left) || take(right));
  return { from, to, ours: left.changes.slice(begun[0], left.at), theirs: right.changes.slice(begun[1], right.at) };
}

/** The items of a region, `was` in the base from `start`, after the changes of one side. */
function apply(was: readonly string[], start: number, changes: readonly TextChange[]): string[] {
  let done = start;
  const pieces = changes.map(({ from, to, items }) => {
    const kept = was.slice(done - start, from - start);
    done = to;
    return [...kept, ...items];
  });
  return [...pieces.flat(), ...was.slice(done - start)];
}

function changesOf(base: readonly string[], side: readonly string[]): TextChange[] | undefined {
  const parts = diffArrays([...base], [...side], { maxEditLength: MOST_CHANGED });
  if (!parts) return undefined;
  const changes: TextChange[] = [];
  let at = 0;
  let last: TextChange | undefined;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) {
      at += value.length;
      last = undefined;
      continue;
    }
    if (!last) changes.push((last = { from: at, to: at, items: [] }));
    if (removed) last.to = at += value.length;
    else last.items = [...last.items, ...value];
  }
  return changes;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, at) => item === other[at]);
}

/** Lines with their ends. */
function toLines(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** Words, the space between them, and each character of scripts that put no space between words. */
function toWords(text: string): string[] {
  return (
    text.match(
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[^\s\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]+|\s/gu,
    ) ?? []
  );
}
