// The text of Markdown: what a reader sees once it is rendered (with code and the words of links, without addresses and
// markers). It is for search, not for rendering: if Markdown is ambiguous, no word may be lost.
import { inlineText } from './markdown-inline.ts';

// The look-ahead makes a run match as a whole or not at all: otherwise parts of it would be tried one by one.
const FENCE = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))([^`]*)$/;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,}|=+ *)$/;
const HEADING = /^ {0,3}#{1,6}(?:[ \t]+|$)/;
const CONTAINER = /^[ \t]*(?:>[ \t]?|[-+*][ \t]+(?:\[[ xX]\][ \t]+)?|[0-9]{1,9}[.)][ \t]+)/;
const DEFINITION = /^ {0,3}\[[^\]]{1,200}\]:[ \t]*[^ \t]+[ \t]*(.*)$/s;
const TABLE_RULE = /^[ \t|:-]+$/;
const CONTAINERS_MAX = 20;

/** One text for each block: a paragraph, a heading, a list item, a table's row, a block of code. */
export function markdownTexts(markdown: string): string[] {
  const texts: string[] = [];
  let paragraph: string[] = [];
  let code: { fence: string; lines: string[] } | undefined;
  const flush = () => {
    if (paragraph.length > 0) push(texts, inlineText(paragraph.join('\n')));
    paragraph = [];
  };
  for (const line of markdown.split(/\r\n|\n|\r/)) {
    if (code) {
      if (isClosingFence(line, code.fence)) {
        push(texts, code.lines.join('\n'));
        code = undefined;
      } else code.lines.push(line);
      continue;
    }
    const { rest, starts } = withoutContainers(line);
    const fence = FENCE.exec(rest);
    if (fence) {
      flush();
      code = { fence: fence[1]!, lines: [] };
    } else if (rest.trim() === '' || RULE.test(rest) || (rest.includes('|') && TABLE_RULE.test(rest))) {
      flush();
    } else {
      const heading = HEADING.test(rest);
      const isRow = rest.trimStart().startsWith('|');
      if (starts || heading || isRow) flush();
      const definition = DEFINITION.exec(rest);
      if (definition) push(texts, definition[1]!.replace(/^["'(]|["')]$/g, ''));
      else paragraph.push(heading ? rest.replace(HEADING, '').replace(/[ \t]#+[ \t]*$/, '') : rest);
      if (heading || isRow) flush();
    }
  }
  flush();
  if (code) push(texts, code.lines.join('\n'));
  return texts;
}

function push(texts: string[], text: string): void {
  const trimmed = text.trim();
  if (trimmed !== '') texts.push(trimmed);
}

/** A line without the quote and list markers in front of it. */
function withoutContainers(line: string): { rest: string; starts: boolean } {
  let rest = line;
  let starts = false;
  for (let depth = 0; depth < CONTAINERS_MAX; depth++) {
    // A rule of dashes or asterisks looks like the beginning of a list.
    const marker = RULE.test(rest) ? null : CONTAINER.exec(rest);
    if (!marker) break;
    if (!marker[0].includes('>')) starts = true;
    rest = rest.slice(marker[0].length);
  }
  return { rest, starts };
}

function isClosingFence(line: string, fence: string): boolean {
  const text = line.trim();
  return text.length >= fence.length && text === fence[0]!.repeat(text.length);
}
