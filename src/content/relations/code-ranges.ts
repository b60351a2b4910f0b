// Where code is in a Markdown text: spans, fences, and blocks indented by four spaces (CommonMark 0.31, sections 4.4, 4.5
// and 6.1). One pass over the lines, linear in the text; a whole parser would take a hundred times as long.

export interface TextRange {
  start: number;
  end: number;
}

interface Fence {
  close: RegExp;
  start: number;
  quotes: number;
  /** Columns of the list item that it is in. */
  offset: number;
}

const HAS_CODE = /`|~~~|^[ \t>]*(?: {4}|\t)/m;
const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const MARKER = /^(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)/;
const BREAK = /^(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const HEADING = /^#{1,6}(?:[ \t]|$)/;

/** In their order, without overlaps. */
export function codeRanges(text: string): TextRange[] {
  if (!HAS_CODE.test(text)) return [];
  const ranges: TextRange[] = [];
  /** Columns at which the text of each open list item begins. */
  let items: number[] = [];
  /** How many quotes the list items are in. */
  let depth = 0;
  let fence: Fence | undefined;
  /** Start of the paragraph that the last line belongs to. */
  let paragraph: number | undefined;

  const endParagraph = (at: number): void => {
    if (paragraph !== undefined) addSpans(text, { start: paragraph, end: at }, ranges);
    paragraph = undefined;
  };

  function readLine(start: number, end: number): void {
    const { at, quotes } = skipQuotes(text, start, end);
    let line = text.slice(at, end).trimEnd();
    const indent = indentOf(line);
    let { columns } = indent;
    line = line.slice(indent.length);
    if (fence) {
      const isLeft = quotes < fence.quotes || (line !== '' && columns < fence.offset);
      if (!isLeft && !(columns < fence.offset + 4 && fence.close.test(line))) return;
      ranges.push({ start: fence.start, end: isLeft ? start : end });
      fence = undefined;
      if (!isLeft) return;
    }
    if (line === '') endParagraph(start);
    if (paragraph === undefined && quotes !== depth) [items, depth] = [[], quotes];
    if (line === '') return;
    const isBlock = MARKER.test(line) || FENCE.test(line) || HEADING.test(line) || BREAK.test(line);
    // A line that goes on with a paragraph need not be indented as its list item is.
    if (paragraph === undefined || isBlock) items = items.filter((offset) => offset <= columns);
    if (paragraph === undefined && columns - (items.at(-1) ?? 0) >= 4) {
      ranges.push({ start, end });
      return;
    }
    for (let marker = MARKER.exec(line); marker && !BREAK.test(line); marker = MARKER.exec(line)) {
      endParagraph(start);
      const rest = line.slice(marker[0].length);
      const space = indentOf(rest);
      const isCode = space.columns > 4;
      columns += marker[0].length + (rest === '' || isCode ? 1 : space.columns);
      items.push(columns);
      if (isCode) {
        ranges.push({ start, end });
        return;
      }
      line = rest.slice(space.length);
    }
    const [, ticks, tildes] = FENCE.exec(line) ?? [];
    const opening = ticks ?? tildes;
    if (opening !== undefined) {
      endParagraph(start);
      const close = new RegExp(`^${opening[0]}{${opening.length},}$`);
      fence = { close, start, quotes, offset: items.at(-1) ?? 0 };
    } else if (HEADING.test(line) || BREAK.test(line)) {
      endParagraph(start);
      addSpans(text, { start, end }, ranges);
    } else paragraph ??= start;
  }

  for (let start = 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    readLine(start, end);
    start = end + 1;
  }
  const open = fence as Fence | undefined;
  if (open) ranges.push({ start: open.start, end: text.length });
  endParagraph(text.length);
  return ranges.sort((a, b) => a.start - b.start);
}

function skipQuotes(text: string, start: number, end: number): { at: number; quotes: number } {
  const quote = / {0,3}> ?/y;
  let at = start;
  let quotes = 0;
  for (quote.lastIndex = at; at < end && quote.test(text) && quote.lastIndex <= end; quotes++) at = quote.lastIndex;
  return { at, quotes };
}

function indentOf(line: string): { columns: number; length: number } {
  let columns = 0;
  let length = 0;
  for (; line[length] === ' ' || line[length] === '\t'; length++) {
    columns += line[length] === ' ' ? 1 : 4 - (columns % 4);
  }
  return { columns, length };
}

/** A span ends at the next run of as many backticks in its paragraph. */
function addSpans(text: string, { start, end }: TextRange, ranges: TextRange[]): void {
  const runs = [...text.slice(start, end).matchAll(/(\\*)(`+)/g)].map(({ index, 1: escapes = '', 2: ticks = '' }) => {
    return { at: start + index + escapes.length, length: ticks.length, isEscaped: escapes.length % 2 === 1 };
  });
  const next = new Map<number, number>();
  const closers = runs.map(() => -1);
  for (let i = runs.length - 1; i >= 0; i--) {
    const { length, isEscaped } = runs[i]!;
    closers[i] = next.get(isEscaped ? length - 1 : length) ?? -1;
    next.set(length, i);
  }
  for (let i = 0; i < runs.length; i++) {
    const closer = runs[closers[i]!];
    if (!closer) continue;
    ranges.push({ start: runs[i]!.at, end: closer.at + closer.length });
    i = closers[i]!;
  }
}
