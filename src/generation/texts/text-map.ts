// The texts of a document as a model translates or rewrites them: one at a time, with marks in place of what must stay.
// Whatever walks the content calls `map` for each text twice in the same order: once to collect them, once to put the
// new ones in.

export interface TextUnit {
  /** Dotted, like `data.body`. */
  path: string;
  text: string;
  /** What the marks in the text stand for, for the model to understand them. */
  marks: readonly string[];
  maxLength?: number;
}

export interface TextMap {
  /** Returns the new text, or undefined to leave it as it is. */
  map(unit: TextUnit): string | undefined;
  /** Notes what could not be carried over, as a sentence. */
  keep(path: string, message: string): void;
}

/** `⟦1⟧` stands for something, `⟦2⟧text⟦/2⟧` for something around a text. */
export const MARK = /⟦(\/?)(\d+)⟧/g;
const BRACKETS = /[⟦⟧]/;

export function markOf(index: number): string {
  return `⟦${index}⟧`;
}

export function endMarkOf(index: number): string {
  return `⟦/${index}⟧`;
}

export function hasMarkBrackets(text: string): boolean {
  return BRACKETS.test(text);
}

/** Whether there is something to translate besides the marks. */
export function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replace(MARK, ''));
}

/** What is wrong with the marks of a new text, as a sentence for the model; undefined if nothing is. */
export function markProblem(before: string, after: string): string | undefined {
  const wanted = marksIn(before);
  const found = marksIn(after);
  const missing = wanted.find((mark) => !found.includes(mark));
  if (missing) return `the mark ${missing} is missing`;
  if (found.length !== wanted.length) return 'a mark is there twice, or was not in the text';
  if (BRACKETS.test(after.replace(MARK, ''))) return 'the brackets ⟦ and ⟧ are for marks only';
  return isNested(after) ? undefined : 'marks overlap, or end before they begin';
}

function marksIn(text: string): string[] {
  return text.match(MARK) ?? [];
}

function isNested(text: string): boolean {
  const open: string[] = [];
  const ends = new Set([...text.matchAll(MARK)].flatMap(([, slash, index]) => (slash && index ? [index] : [])));
  for (const [, slash, index = ''] of text.matchAll(MARK)) {
    if (slash) {
      if (open.pop() !== index) return false;
    } else if (ends.has(index)) open.push(index);
  }
  return open.length === 0;
}

/** The parts of a text between its marks, in order. */
export function splitMarks(text: string): ({ text: string } | { index: number; isEnd: boolean })[] {
  const parts: ({ text: string } | { index: number; isEnd: boolean })[] = [];
  let from = 0;
  for (const { 0: mark, 1: slash, 2: index, index: at } of text.matchAll(MARK)) {
    if (at > from) parts.push({ text: text.slice(from, at) });
    parts.push({ index: Number(index), isEnd: slash === '/' });
    from = at + mark.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}

/** The text without white space around it, and that white space. */
export function splitSpace(text: string): { before: string; inner: string; after: string } {
  const inner = text.trim();
  const at = text.indexOf(inner);
  return { before: text.slice(0, at), inner, after: text.slice(at + inner.length) };
}
