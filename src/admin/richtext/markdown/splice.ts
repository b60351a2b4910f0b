// A change inside one block, put into the block's source so that the rest of it stays byte by byte. Each attempt is read
// again, so that only one that says what the screen says is taken. Pure.
import type { Node, ResolvedPos } from 'prosemirror-model';
import type { Habits } from './habits.ts';
import type { SourceBlock } from './markdown-in.ts';
import { ESCAPINGS, printWords } from './print-block.ts';

/** How much beside the change is searched for in the source, longest first. */
const CONTEXTS = [32, 8, 2];
const MOST_PLACES = 8;
/** Stands for what is not text: it is not found in any source. */
const NOT_TEXT = '\0';

interface Edit {
  /** Ways in which the source may have written what was there. */
  before: readonly string[];
  /** Ways to write what is there now. */
  after: readonly string[];
  left: string;
  right: string;
}

/** The source with the change in it, or undefined if there is no simple way. */
export function splice(
  old: Pick<SourceBlock, 'node' | 'source'>,
  node: Node,
  habits: Habits,
  saysTheSame: (source: string) => boolean,
): string | undefined {
  const edit = findEdit(old.node, node, habits);
  if (!edit) return undefined;
  const tried = new Set<string>();
  for (const [left, right] of contextsOf(edit)) {
    for (const before of edit.before) {
      const places = findPlaces(old.source, left + before + right);
      for (const after of edit.after) {
        for (const place of places) {
          const from = place + left.length;
          const made = old.source.slice(0, from) + after + old.source.slice(from + before.length);
          if (tried.has(made)) continue;
          tried.add(made);
          if (saysTheSame(made)) return made;
        }
      }
    }
  }
  return undefined;
}

function findEdit(old: Node, node: Node, habits: Habits): Edit | undefined {
  if (!old.sameMarkup(node)) return undefined;
  const start = old.content.findDiffStart(node.content);
  const end = old.content.findDiffEnd(node.content);
  if (start === null || end === null) return undefined;
  const overlap = Math.max(0, start - Math.min(end.a, end.b));
  const [oldStart, oldEnd] = [old.resolve(start), old.resolve(end.a + overlap)];
  const [newStart, newEnd] = [node.resolve(start), node.resolve(end.b + overlap)];
  if (!isWithinWords(oldStart, oldEnd) || !isWithinWords(newStart, newEnd)) return undefined;
  const text = toLines(oldStart.parent);
  return {
    before: waysToWrite(oldStart, oldEnd, habits),
    after: waysToWrite(newStart, newEnd, habits),
    left: /[^\n\0]*$/.exec(text.slice(0, oldStart.parentOffset))?.[0] ?? '',
    right: /^[^\n\0]*/.exec(text.slice(oldEnd.parentOffset))?.[0] ?? '',
  };
}

function isWithinWords(start: ResolvedPos, end: ResolvedPos): boolean {
  return start.sameParent(end) && start.parent.isTextblock;
}

/** The text of a block with its line breaks, a character for each position. */
function toLines(block: Node): string {
  let text = '';
  block.forEach((child) => {
    const isBreak = child.marks.some(({ type }) => type.name === 'softBreak');
    text += isBreak ? '\n' : (child.text ?? NOT_TEXT);
  });
  return text;
}

function waysToWrite(start: ResolvedPos, end: ResolvedPos, habits: Habits): string[] {
  const { parent } = start;
  const text = toLines(parent).slice(start.parentOffset, end.parentOffset);
  if (parent.type.spec.code || text === '') return [text];
  const around = start.marks();
  const inside: Node[] = [];
  parent.slice(start.parentOffset, end.parentOffset).content.forEach((child) => {
    // The marks that are around the change are in the source already.
    inside.push(child.mark(child.marks.filter((mark) => !mark.isInSet(around) || isLeaf(mark.type.name))));
  });
  const [, before = '', after = ''] = /^(\s*)[\s\S]*?(\s*)$/.exec(text) ?? [];
  const printed = ESCAPINGS.map((escaping) => before + printWords(inside, habits, escaping) + after);
  const escaped = text.replace(/[\\`*_[\]<>#|~&!{}]/g, '\\$&');
  return [...new Set([text, ...printed, escaped])].filter((way) => !way.includes(NOT_TEXT));
}

function isLeaf(mark: string): boolean {
  return mark === 'code' || mark === 'source' || mark === 'softBreak';
}

function contextsOf({ left, right, before }: Edit): [string, string][] {
  const all = CONTEXTS.flatMap((length): [string, string][] => {
    const [near, far] = [left.slice(-length), right.slice(0, length)];
    return [
      [near, far],
      [near, ''],
      ['', far],
    ];
  });
  // Without any context an insertion would be tried everywhere.
  return all.filter(([near, far]) => near + far !== '' || before[0] !== '');
}

function findPlaces(source: string, text: string): number[] {
  const places: number[] = [];
  for (let at = source.indexOf(text); at >= 0 && places.length < MOST_PLACES; at = source.indexOf(text, at + 1)) {
    places.push(at);
  }
  return places;
}
