// The words of a block of Markdown, with their marks. What the schema cannot say is text with the mark `source`. Pure.
import type { MarkedToken, Token, Tokens } from 'marked';
import type { Mark, Node } from 'prosemirror-model';
import { MARKDOWN } from '../schema.ts';

type Marks = readonly Mark[];

const { nodes, marks } = MARKDOWN;

/** Footnotes, shortcodes and entities: shown as they are written. Longer ones would be looked for at each bracket. */
const FOREIGN =
  /\[\^[^\]\s]{1,200}\]|\{\{[\s\S]{0,500}?\}\}|\{%[\s\S]{0,500}?%\}|&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]*);/gi;

export function readInline(tokens: readonly Token[]): Node[] {
  return tokens.flatMap((token) => readToken(token, []));
}

function readToken(any: Token, outer: Marks): Node[] {
  // No extension of the lexer is in use, so that every token is one of its own.
  const token = any as MarkedToken;
  const within = (type: string, attrs?: Record<string, unknown>): Node[] => {
    const inner = marks[type]!.create(attrs).addToSet(outer);
    return ('tokens' in token ? (token.tokens ?? []) : []).flatMap((child) => readToken(child, inner));
  };
  switch (token.type) {
    case 'text':
      return 'tokens' in token && token.tokens
        ? token.tokens.flatMap((child) => readToken(child, outer))
        : readText(token.text, outer);
    case 'escape':
      return [MARKDOWN.text(token.text, outer)];
    case 'em':
      return within('italic');
    case 'strong':
      return within('bold');
    case 'del':
      return within('strike');
    case 'codespan':
      return readCode(token, outer);
    case 'br':
      return [nodes.hardBreak!.create(null, null, outer)];
    case 'link':
      return within('link', { href: token.href, title: token.title ?? null, ...formOf(token) });
    case 'image': {
      const { href, title, text } = token;
      const attrs = { src: href, alt: text, title: title ?? null, ...formOf(token) };
      return [nodes.imageInline!.create(attrs, null, outer)];
    }
    case 'checkbox':
      return [];
    default:
      return token.raw === '' ? [] : readLines(token.raw, marks.source!.create().addToSet(outer));
  }
}

function readText(text: string, outer: Marks): Node[] {
  const made: Node[] = [];
  let at = 0;
  for (const { 0: found, index } of text.matchAll(FOREIGN)) {
    made.push(...readLines(text.slice(at, index), outer));
    made.push(...readLines(found, marks.source!.create().addToSet(outer)));
    at = index + found.length;
  }
  return [...made, ...readLines(text.slice(at), outer)];
}

/** Line breaks are spaces with a mark. */
function readLines(text: string, outer: Marks): Node[] {
  const soft = marks.softBreak!.create().addToSet(outer);
  return text.split(/(\n)/).flatMap((part) => {
    if (part === '') return [];
    return [part === '\n' ? MARKDOWN.text(' ', soft) : MARKDOWN.text(part, outer)];
  });
}

function readCode({ raw, text }: Tokens.Codespan, outer: Marks): Node[] {
  const inner = marks.code!.create().addToSet(outer);
  const lines = raw.replace(/^`+|`+$/g, '');
  const from = lines.length === text.length ? 0 : 1;
  const written = lines.slice(from, from + text.length);
  return readLines(written.replaceAll('\n', ' ') === text ? written : text, inner);
}

const REFERENCE = /\]\[([^\]]*)\]$/;

/** How a link or an image is written: in place if `form` is null. */
function formOf({ raw }: Tokens.Link | Tokens.Image): { form: string | null; label: string | null } {
  if (raw.startsWith('<')) return { form: 'autolink', label: null };
  if (!/^!?\[/.test(raw)) return { form: 'bare', label: null };
  if (raw.endsWith(')')) return { form: null, label: null };
  const label = REFERENCE.exec(raw)?.[1];
  if (label === undefined) return { form: 'shortcut', label: raw.replace(/^!?\[|\]$/g, '') };
  if (label === '') return { form: 'collapsed', label: raw.replace(/^!?\[|\]\[\]$/g, '') };
  return { form: 'full', label };
}
