// Merges two versions of a text that were made from the same one: over lines, then over the words of a paragraph that
// both sides changed. Clean wherever `git merge-file` is clean, with the same text; where both sides changed the same
// words, ours stays. Pure, and its work is bounded for every input.
import type { MergeAllowance, Sequence } from './changes.ts';
import { findRegions, type Overlap, type Region, type Span } from './regions.ts';

export interface MergedText {
  text: string;
  /** Whether a change of theirs is not in the text. */
  isTheirsLost: boolean;
}

/** Some 30 ms. */
const STEPS = 4_000_000;
/** Lines or words of all three texts: no text that a person writes, and some 100 ms. Above it ours stays. */
const MAX_ITEMS = 100_000;
/** A line of fewer words is a title, a list's item, a line of code: half of each side's would be neither's. */
const PARAGRAPH_WORDS = 5;
const WORDS =
  /\n|[^\S\n]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

export function mergeTexts(base: string, ours: string, theirs: string): MergedText {
  if (theirs === base || theirs === ours) return { text: ours, isTheirsLost: false };
  if (ours === base) return { text: theirs, isTheirsLost: false };
  const allowance = { steps: STEPS };
  const clean = mergeLines(base, ours, theirs, allowance);
  if (clean !== undefined) return { text: clean, isTheirsLost: false };
  // The last line of a text often lacks a newline; a paragraph below it must not make it another line.
  const hasEnd = [base, ours, theirs].map((text) => text.endsWith('\n'));
  const isEnded = hasEnd[1] === hasEnd[0] ? hasEnd[2] : hasEnd[1];
  const [b = [], o = [], t = []] = [base, ours, theirs].map((text, i) => toLines(hasEnd[i] ? text : `${text}\n`));
  let isTheirsLost = false;
  if (b.length + o.length + t.length > MAX_ITEMS) return { text: ours, isTheirsLost: true };
  const pieces = mergeItems(b, o, t, 'touching', allowance, (whole) =>
    mergeItems(...whole, 'sharing', allowance, (lines) => {
      const words = mergeWords(lines, allowance);
      if (words === undefined) isTheirsLost = true;
      return words ?? lines[1];
    }),
  );
  const text = pieces.join('');
  return { text: isEnded ? text : text.slice(0, -1), isTheirsLost };
}

/** As git does it; undefined if it finds a conflict. */
function mergeLines(base: string, ours: string, theirs: string, allowance: MergeAllowance): string | undefined {
  const [b, o, t] = [toLines(base), toLines(ours), toLines(theirs)];
  if (b.length + o.length + t.length > MAX_ITEMS) return undefined;
  let isClean = true;
  const merged = mergeItems(b, o, t, 'touching', allowance, (lines) => {
    isClean = false;
    return lines[1];
  });
  return isClean ? merged.join('') : undefined;
}

type Three = [base: string[], ours: string[], theirs: string[]];

/** Undefined if both sides changed the same words, or these are no paragraphs. */
function mergeWords(lines: Three, allowance: MergeAllowance): string[] | undefined {
  const [base = [], ours = [], theirs = []] = lines.map((side) => side.join('').match(WORDS) ?? []);
  if (base.length + ours.length + theirs.length > MAX_ITEMS) return undefined;
  if (base.filter((word) => /\S/.test(word)).length < PARAGRAPH_WORDS) return undefined;
  let isClean = true;
  const merged = mergeItems(base, ours, theirs, 'touching', allowance, (words) => {
    isClean = false;
    return words[1];
  });
  return isClean ? merged : undefined;
}

/** Calls `settle` with what both sides changed, and puts its answer there. */
function mergeItems(
  base: readonly string[],
  ours: readonly string[],
  theirs: readonly string[],
  overlap: Overlap,
  allowance: MergeAllowance,
  settle: (items: Three) => string[],
): string[] {
  const [b, o, t] = toSequences(base, ours, theirs);
  const cut = (items: readonly string[], { start, end }: Span): string[] => items.slice(start, end);
  const of = (region: Region): string[] => {
    if (region.from === 'theirs') return cut(theirs, region.theirs);
    if (region.from !== 'both') return cut(ours, region.ours);
    return settle([cut(base, region.base), cut(ours, region.ours), cut(theirs, region.theirs)]);
  };
  return findRegions(b, o, t, overlap, allowance).flatMap(of);
}

/** Each distinct item as a number. */
function toSequences(...sides: (readonly string[])[]): [Sequence, Sequence, Sequence] {
  const numbers = new Map<string, number>();
  const toNumber = (item: string): number => {
    const known = numbers.get(item);
    if (known !== undefined) return known;
    numbers.set(item, numbers.size);
    return numbers.size - 1;
  };
  return sides.map((side) => {
    const sequence = new Int32Array(side.length);
    for (let i = 0; i < side.length; i++) sequence[i] = toNumber(side[i]!);
    return sequence;
  }) as [Sequence, Sequence, Sequence];
}

/** Each with its newline, if it has one. */
function toLines(text: string): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at) + 1 || text.length;
    lines.push(text.slice(at, end));
    at = end;
  }
  return lines;
}
