// Inline Markdown to text: emphasis, links, images, code, tags, escapes. One pass over the characters with bounded
// look-ahead, so that no input (such as a million brackets) makes it slow.
import { decodeReferences, readTag } from './html-text.ts';

const LINK_MAX_LENGTH = 2_000;
const LINK_MAX_PARENTHESES = 32;
/**
 * After brackets that turn out not to be a link, the scan starts again, up to 2,000 characters each. Once a text has
 * used up this many, plus four for each of its characters, it has no more links: further addresses count as words.
 */
const AHEAD_CHARACTERS = 100_000;
const AHEAD_PER_CHARACTER = 4;
const ESCAPABLE = /[!-/:-@[-`{-~]/;
const AUTOLINK = /^<([a-zA-Z][a-zA-Z0-9+.-]{1,31}:[^\s<>]{0,1000}|[^\s<>@]{1,100}@[^\s<>@]{1,250})>/;

interface Delimiter {
  count: number;
  /** Its index in the output. */
  at: number;
}

interface State {
  source: string;
  out: string[];
  /** Indexes in the output of the brackets that are still open. */
  brackets: number[];
  /** Open runs of emphasis by their character: kinds need not nest, since only the markers are removed. */
  delimiters: Record<string, Delimiter[]>;
  /** Start of the last run of each number of backticks; a run without a later one of its length is plain text. */
  lastBackticks: Map<number, number>;
  /** How many characters after brackets may still be scanned. */
  ahead: number;
}

/** Each reads what starts at `index`, appends its text and returns the index to continue at. */
const READERS: Record<string, (state: State, index: number) => number> = {
  '\\': readEscape,
  '`': readCode,
  '*': readEmphasis,
  _: readEmphasis,
  '~': readEmphasis,
  '!': readBang,
  '[': readOpenBracket,
  ']': readCloseBracket,
  '<': readAngle,
};
const SPECIAL = /[\\`*_~![\]<]/g;

/** The text of one block. */
export function inlineText(source: string): string {
  const state: State = {
    source,
    out: [],
    brackets: [],
    delimiters: { '*': [], _: [], '~': [] },
    lastBackticks: new Map(),
    ahead: AHEAD_CHARACTERS + AHEAD_PER_CHARACTER * source.length,
  };
  for (const { 0: run, index } of source.matchAll(/`+/g)) state.lastBackticks.set(run.length, index);
  let index = 0;
  while (index < source.length) {
    const reader = READERS[source[index]!];
    if (reader) index = reader(state, index);
    else index = readPlain(state, index);
  }
  const text = decodeReferences(state.out.join(''));
  return source.trimStart().startsWith('|') ? text.replaceAll('|', ' ') : text;
}

function readPlain({ source, out }: State, index: number): number {
  SPECIAL.lastIndex = index;
  const end = SPECIAL.exec(source)?.index ?? source.length;
  out.push(source.slice(index, end));
  return end;
}

function readEscape({ source, out }: State, index: number): number {
  const next = source[index + 1] ?? '';
  const isEscape = ESCAPABLE.test(next);
  out.push(isEscape ? next : '\\');
  return index + (isEscape ? 2 : 1);
}

function readCode({ source, out, lastBackticks }: State, index: number): number {
  const run = runLength(source, index);
  if ((lastBackticks.get(run) ?? -1) <= index) {
    out.push('`'.repeat(run));
    return index + run;
  }
  let close = source.indexOf('`', index + run);
  while (runLength(source, close) !== run) close = source.indexOf('`', close + runLength(source, close));
  out.push(source.slice(index + run, close));
  return close + run;
}

/** Pairs a closing run with the nearest open one of its kind; an unpaired run stays in the text. */
function readEmphasis({ source, out, delimiters }: State, index: number): number {
  const marker = source[index]!;
  const open = delimiters[marker]!;
  const length = runLength(source, index);
  const { opens, closes } = flanking(source, index, length);
  let count = length;
  for (let opener = open.at(-1); closes && opener && count > 0; opener = open.at(-1)) {
    const paired = Math.min(opener.count, count);
    opener.count -= paired;
    count -= paired;
    out[opener.at] = marker.repeat(opener.count);
    if (opener.count === 0) open.pop();
  }
  if (opens && count > 0) open.push({ count, at: out.length });
  out.push(marker.repeat(count));
  return index + length;
}

/** CommonMark's rule for what a run can do; `_` never works inside a word. */
function flanking(source: string, index: number, length: number): { opens: boolean; closes: boolean } {
  const before = source[index - 1] ?? ' ';
  const after = source[index + length] ?? ' ';
  const [spaceBefore, spaceAfter] = [/\s/.test(before), /\s/.test(after)];
  const [markBefore, markAfter] = [/[\p{P}\p{S}]/u.test(before), /[\p{P}\p{S}]/u.test(after)];
  const left = !spaceAfter && (!markAfter || spaceBefore || markBefore);
  const right = !spaceBefore && (!markBefore || spaceAfter || markAfter);
  if (source[index] !== '_') return { opens: left, closes: right };
  return { opens: left && (!right || markBefore), closes: right && (!left || markAfter) };
}

function readBang({ source, out, brackets }: State, index: number): number {
  const isImage = source[index + 1] === '[';
  if (isImage) brackets.push(out.length);
  out.push(isImage ? '![' : '!');
  return index + (isImage ? 2 : 1);
}

function readOpenBracket({ out, brackets }: State, index: number): number {
  brackets.push(out.length);
  out.push('[');
  return index + 1;
}

function readCloseBracket(state: State, index: number): number {
  const { source, out, brackets } = state;
  const open = brackets.pop();
  const link = open === undefined || state.ahead <= 0 ? undefined : readLink(source, index + 1);
  state.ahead -= link ? link.end - index : LINK_MAX_LENGTH;
  if (open === undefined || !link) {
    out.push(']');
    return index + 1;
  }
  out[open] = '';
  out.push(link.title === '' ? '' : ` ${link.title}`);
  return link.end;
}

/** `(address "title")` or `[reference]` after a bracket. */
function readLink(source: string, start: number): { title: string; end: number } | undefined {
  const text = source.slice(start, start + LINK_MAX_LENGTH);
  if (text[0] === '[') {
    const end = text.slice(0, 200).indexOf(']');
    return end === -1 ? undefined : { title: '', end: start + end + 1 };
  }
  if (text[0] !== '(') return undefined;
  const address = readAddress(text);
  const rest = /^\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(([^()]*)\))?\s*\)/.exec(text.slice(address));
  return rest ? { title: rest[1] ?? rest[2] ?? rest[3] ?? '', end: start + address + rest[0].length } : undefined;
}

/** Index at which the address of `(address ...` ends: at a space or at the parenthesis that closes it. */
function readAddress(text: string): number {
  const angle = /^\(\s*<[^<>\n]*>/.exec(text);
  if (angle) return angle[0].length;
  let depth = 0;
  let index = 1 + (/^\s*/.exec(text.slice(1))?.[0].length ?? 0);
  for (; index < text.length && depth <= LINK_MAX_PARENTHESES; index++) {
    const character = text[index]!;
    if (character === '\\') index++;
    else if (/\s/.test(character)) return index;
    else if (character === '(') depth++;
    else if (character === ')' && depth-- === 0) return index;
  }
  return text.length;
}

function readAngle({ source, out }: State, index: number): number {
  const link = AUTOLINK.exec(source.slice(index, index + 1_100));
  if (link) {
    out.push(link[1]!);
    return index + link[0].length;
  }
  const tag = readTag(source, index);
  if (!tag) out.push('<');
  else if (tag.name === 'br' || tag.name === 'img' || tag.name === '!') out.push(' ');
  return tag?.end ?? index + 1;
}

function runLength(source: string, index: number): number {
  let end = index + 1;
  while (source[end] === source[index]) end++;
  return end - index;
}
