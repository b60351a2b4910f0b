// Finds the links of one text: Markdown, HTML, or a ProseMirror document. Pure; it runs in a thread, with many others.
import { Parser } from 'htmlparser2';
import type { Token, Tokens } from 'marked';
import { isObject } from '../lib/json.ts';
import { LinearLexer } from '../lib/markdown/linear-lexer.ts';

/** Attributes with an address to load or to follow. Addresses to which forms are sent are not checked. */
const HTML_ATTRIBUTES: Record<string, readonly string[]> = {
  a: ['href'],
  area: ['href'],
  audio: ['src'],
  embed: ['src'],
  iframe: ['src'],
  img: ['src', 'srcset'],
  link: ['href'],
  script: ['src'],
  source: ['src', 'srcset'],
  track: ['src'],
  video: ['src', 'poster'],
};
/** Links with these relations only open a connection. */
const NOT_LOADED = new Set(['preconnect', 'dns-prefetch']);

export function markdownLinks(text: string): string[] {
  const links: string[] = [];
  eachToken(new LinearLexer().lex(text), (token) => {
    if ((token.type === 'link' || token.type === 'image') && typeof token.href === 'string') links.push(token.href);
    if (token.type === 'html') links.push(...htmlLinks(token.raw));
  });
  return links;
}

/** What contains others comes before them. */
function eachToken(tokens: readonly Token[], visit: (token: Token) => void): void {
  for (const token of tokens) {
    visit(token);
    for (const inside of insideOf(token)) eachToken(inside, visit);
  }
}

function insideOf(token: Token): (readonly Token[])[] {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].flat().map((cell) => cell.tokens);
  }
  return [token.type === 'list' ? (token as Tokens.List).items : ('tokens' in token && token.tokens) || []];
}

/** Links need no tree: the parser would move all elements that are open for each that opens. */
class FlatParser extends Parser {
  protected override isVoidElement(): boolean {
    return true;
  }
}

export function htmlLinks(text: string): string[] {
  const links: string[] = [];
  const parser = new FlatParser({
    onopentag(name, attributes) {
      if (name === 'link' && NOT_LOADED.has(attributes.rel ?? '')) return;
      for (const attribute of HTML_ATTRIBUTES[name] ?? []) {
        const value = attributes[attribute];
        if (value === undefined) continue;
        if (attribute === 'srcset') links.push(...candidates(value));
        else links.push(value);
      }
    },
  });
  parser.end(text);
  return links;
}

/** HTML, 4.8.4.2.1: candidates of address and descriptors, separated by commas; an address may contain commas. */
function candidates(srcset: string): string[] {
  return srcset
    .split(/,\s+/)
    .flatMap((candidate) => /^\s*(\S+)/.exec(candidate)?.[1] ?? [])
    .flatMap((address) => withoutCommas(address) || []);
}

function withoutCommas(address: string): string {
  let end = address.length;
  while (end > 0 && address[end - 1] === ',') end--;
  return address.slice(0, end);
}

/** Returns every `href` and `src` of marks and nodes, at any depth. */
export function documentLinks(root: object): string[] {
  const links: string[] = [];
  const left: unknown[] = [root];
  while (left.length > 0) {
    const node = left.pop();
    if (Array.isArray(node)) for (let index = node.length - 1; index >= 0; index--) left.push(node[index]);
    if (!isObject(node)) continue;
    if (isObject(node.attrs)) {
      for (const key of ['href', 'src']) {
        const value = node.attrs[key];
        if (typeof value === 'string') links.push(value);
      }
    }
    left.push(node.content, node.marks);
  }
  return links;
}
