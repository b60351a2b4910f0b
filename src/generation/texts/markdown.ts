// The texts of a Markdown text. Its own words are changed in place: code, HTML, definitions and everything between the
// blocks stay byte for byte. A block whose structure would not survive is left as it is.
import type { Token, Tokens, TokensList } from 'marked';
import { isEqual } from '../../lib/equal.ts';
import { LinearLexer } from '../../lib/markdown/linear-lexer.ts';
import { mapHtml } from './html.ts';
import { mapInline } from './inline.ts';
import { nest } from './nested.ts';
import { skeletonOf } from './skeleton.ts';
import type { TextMap } from './text-map.ts';

interface MarkdownPlace {
  /** Definitions of the whole text. */
  links: TokensList['links'];
  /** Inside of how many lists and quotes; the outermost is checked as a whole. */
  depth: number;
}

/** Each level is read once more. */
const MAX_DEPTH = 12;

const CONTAINERS = new Set(['list', 'blockquote']);

export function mapMarkdown(source: string, path: string, texts: TextMap): string {
  const isWindows = source.includes('\r\n');
  const text = source.replace(/\r\n?/g, '\n');
  const lexer = new LinearLexer();
  const tokens = lexer.lex(text);
  if (lexer.unread > 0) {
    texts.keep(path, 'the whole text was left as it is, because a part of it has too many marks to be read');
    return source;
  }
  const mapped = mapBlocks(text, path, texts, { links: tokens.links, depth: 0 });
  if (mapped === text) return source;
  // Each block is as before by itself, but two of them may make a table.
  if (!isEqual(skeletonOf(new LinearLexer().lex(mapped)), skeletonOf(tokens))) {
    texts.keep(path, 'the whole text was left as it is, because its structure would change');
    return source;
  }
  return isWindows ? mapped.replaceAll('\n', '\r\n') : mapped;
}

function mapBlocks(source: string, path: string, texts: TextMap, place: MarkdownPlace): string {
  if (place.depth > MAX_DEPTH) {
    texts.keep(path, 'a part was left as it is, because it is nested too deeply');
    return source;
  }
  // marked drops white space at the end of some lists.
  const body = source.trimEnd();
  const tokens = lex(body, place.links);
  if (tokens.map(({ raw }) => raw).join('') !== body) {
    texts.keep(path, 'a part was left as it is, because its Markdown is unusual');
    return source;
  }
  return tokens.map((token) => mapBlock(token, path, texts, place)).join('') + source.slice(body.length);
}

function mapBlock(token: Token, path: string, texts: TextMap, place: MarkdownPlace): string {
  const { raw } = token;
  const mapped = mapInside(token, path, texts, place);
  if (mapped === raw) return raw;
  if (mapped !== undefined) {
    if (place.depth > 0 && CONTAINERS.has(token.type)) return mapped;
    if (isEqual(skeletonOf(lex(mapped, place.links)), skeletonOf([token]))) return mapped;
  }
  texts.keep(path, `a ${NAMES[token.type] ?? token.type} was left as it is, because its structure would change`);
  return raw;
}

const NAMES: Record<string, string> = { text: 'paragraph', blockquote: 'quote' };

/** Returns undefined if the parts are not found in the whole. */
function mapInside(token: Token, path: string, texts: TextMap, place: MarkdownPlace): string | undefined {
  const { raw } = token;
  switch (token.type) {
    case 'paragraph':
    case 'text':
    case 'heading': {
      const { text, tokens = [] } = token as Tokens.Paragraph;
      return replacePart(raw, text, mapInline(text, tokens, path, texts));
    }
    case 'table':
      return mapTable(token as Tokens.Table, path, texts);
    case 'blockquote':
      return nest(raw, (token as Tokens.Blockquote).text, '> ', (inner) =>
        mapBlocks(inner, path, texts, { ...place, depth: place.depth + 1 }),
      );
    case 'list':
      return mapTabbedList(token as Tokens.List, path, texts, place);
    case 'html':
      return mapHtml(raw, path, texts);
    default:
      return raw;
  }
}

/** marked reads tabs in front of items as spaces; with tabs, the items are not parts of the list. */
function mapTabbedList(list: Tokens.List, path: string, texts: TextMap, place: MarkdownPlace): string | undefined {
  if (!/^[ \t]*\t/m.test(list.raw)) return mapList(list, path, texts, place);
  const spaced = list.raw.replace(/^[ \t]*\t[ \t]*/gm, (space) => space.replaceAll('\t', '    '));
  const [token] = lex(spaced, place.links);
  if (token?.type !== 'list') return undefined;
  const mapped = mapList(token as Tokens.List, path, texts, place);
  return mapped === spaced ? list.raw : mapped;
}

function mapList({ raw, items }: Tokens.List, path: string, texts: TextMap, place: MarkdownPlace): string | undefined {
  let rest = raw;
  let mapped = '';
  for (const item of items) {
    if (!rest.startsWith(item.raw)) return undefined;
    const marker = /^ {0,3}(?:[*+-]|\d{1,9}[.)])[ \t]{0,4}/.exec(item.raw)?.[0] ?? '';
    const inner = nest(item.raw, item.text, ' '.repeat(marker.length), (text) =>
      mapBlocks(text, path, texts, { ...place, depth: place.depth + 1 }),
    );
    if (inner === undefined) return undefined;
    mapped += inner;
    rest = rest.slice(item.raw.length);
  }
  return rest.trim() === '' ? mapped + rest : undefined;
}

function mapTable({ raw, header, rows }: Tokens.Table, path: string, texts: TextMap): string | undefined {
  const [first = '', rule = '', ...lines] = raw.split('\n');
  const mapped = [mapRow(first, header, path, texts)];
  for (const [at, row] of rows.entries()) mapped.push(mapRow(lines[at] ?? '', row, path, texts));
  if (mapped.includes(undefined)) return undefined;
  const [newFirst, ...newLines] = mapped;
  return [newFirst, rule, ...newLines, ...lines.slice(rows.length)].join('\n');
}

function mapRow(line: string, cells: readonly Tokens.TableCell[], path: string, texts: TextMap): string | undefined {
  let mapped = '';
  let rest = line;
  for (const { text, tokens } of cells) {
    const written = text.replaceAll('|', '\\|');
    const at = rest.indexOf(written);
    if (at < 0) return undefined;
    mapped += rest.slice(0, at) + mapInline(text, tokens, path, texts).replaceAll('|', '\\|');
    rest = rest.slice(at + written.length);
  }
  return mapped + rest;
}

function replacePart(whole: string, part: string, by: string): string | undefined {
  const at = whole.indexOf(part);
  return at < 0 ? undefined : whole.slice(0, at) + by + whole.slice(at + part.length);
}

/** The blocks of a text that is a part of another one, whose definitions it may use. */
function lex(source: string, links: MarkdownPlace['links']): Token[] {
  const lexer = new LinearLexer();
  Object.assign(lexer.tokens.links, links);
  return [...lexer.lex(source)];
}
