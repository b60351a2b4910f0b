// One run of inline Markdown: code, addresses, tags and the like become marks, so that a model sees words and emphasis
// only, and cannot change what it does not see.
import type { Token, Tokens } from 'marked';
import {
  endMarkOf,
  hasMarkBrackets,
  hasWords,
  MARK,
  markOf,
  markProblem,
  splitSpace,
  type TextMap,
} from './text-map.ts';

/** References to footnotes, and the templates of static site generators. */
const OPAQUE = /\[\^[^\]\s]{1,80}\]:?|\{\{[^{}\n]{0,500}\}\}|\{%[^%\n]{0,500}%\}|[⟦⟧]/g;

/** What the marks stand for: all of it, or what is around a text. */
type Marked = { whole: string } | { start: string; end: string };

/** `text` must be the raw text of the tokens. */
export function mapInline(text: string, tokens: readonly Token[], path: string, texts: TextMap): string {
  const marks: Marked[] = [];
  const masked = mask(tokens, marks);
  const { before, inner, after } = splitSpace(masked);
  if (!hasWords(inner)) return text;
  const shown = marks.map((mark) => ('whole' in mark ? mark.whole : `${mark.start}...${mark.end}`));
  const answer = texts.map({ path, text: inner, marks: shown });
  if (answer === undefined) return text;
  // A line of its own could begin a list or a heading.
  const line = answer.replace(/\s*\n\s*/g, ' ').trim();
  const problem = line === '' ? 'the answer is empty' : markProblem(inner, line);
  if (problem) {
    texts.keep(path, `a text was left as it is, because ${problem}`);
    return text;
  }
  return restore(`${before}${line}${after}`, marks);
}

function mask(tokens: readonly Token[], marks: Marked[]): string {
  return tokens.map((token) => maskToken(token, marks)).join('');
}

function maskToken(token: Token, marks: Marked[]): string {
  const { raw } = token;
  switch (token.type) {
    case 'text':
    case 'escape':
      return maskText(raw, marks);
    case 'strong':
    case 'em':
    case 'del':
      return maskAround(raw, (token as Tokens.Strong).tokens, marks);
    case 'link':
      return maskLink(token as Tokens.Link, marks);
    case 'image':
      return maskImage(token as Tokens.Image, marks);
    default:
      return whole(raw, marks);
  }
}

function maskText(raw: string, marks: Marked[]): string {
  return toOneLine(raw.replace(OPAQUE, (found) => whole(found, marks)));
}

/** Emphasis stays in the text: a model knows it, and may move it. */
function maskAround(raw: string, tokens: readonly Token[], marks: Marked[]): string {
  const inner = rawOf(tokens);
  const length = (raw.length - inner.length) / 2;
  const isAround = Number.isInteger(length) && raw.slice(length, raw.length - length) === inner;
  return isAround ? raw.slice(0, length) + mask(tokens, marks) + raw.slice(raw.length - length) : whole(raw, marks);
}

function maskLink({ raw, tokens }: Tokens.Link, marks: Marked[]): string {
  const inner = rawOf(tokens);
  // An address without brackets ends where its white space begins, which may be elsewhere in another sentence.
  if (/^https?:|^[^<[\s]+@/i.test(raw)) return whole(`<${raw}>`, marks);
  if (!raw.startsWith(`[${inner}]`)) return whole(raw, marks);
  const rest = raw.slice(inner.length + 2);
  // `[name]` and `[name][]` name their definition by their text, which changes.
  const end = rest === '' || rest === '[]' ? `[${inner}]` : rest;
  return around({ start: '[', end: `]${end}` }, mask(tokens, marks), marks);
}

function maskImage({ raw, text }: Tokens.Image, marks: Marked[]): string {
  if (text === '' || !raw.startsWith(`![${text}]`) || hasMarkBrackets(text)) return whole(raw, marks);
  const rest = raw.slice(text.length + 3);
  const end = rest === '' || rest === '[]' ? `[${text}]` : rest;
  return around({ start: '![', end: `]${end}` }, toOneLine(text), marks);
}

/** A rule for the spaces on both sides would go through them again from each. */
function toOneLine(text: string): string {
  const lines = text.split('\n');
  return lines
    .map((line, at) => {
      const start = at === 0 ? line : line.replace(/^[ \t]+/, '');
      return at === lines.length - 1 ? start : trimEndOf(start);
    })
    .join(' ');
}

function trimEndOf(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === ' ' || line[end - 1] === '\t')) end--;
  return line.slice(0, end);
}

function around(mark: Marked, inner: string, marks: Marked[]): string {
  const index = marks.push(mark);
  return `${markOf(index)}${inner}${endMarkOf(index)}`;
}

function whole(raw: string, marks: Marked[]): string {
  return markOf(marks.push({ whole: raw }));
}

function restore(text: string, marks: readonly Marked[]): string {
  return text.replace(MARK, (found, slash: string, index: string) => {
    const mark = marks[Number(index) - 1];
    if (!mark) return found;
    if ('whole' in mark) return slash ? '' : mark.whole;
    return slash ? mark.end : mark.start;
  });
}

function rawOf(tokens: readonly Token[]): string {
  return tokens.map(({ raw }) => raw).join('');
}
