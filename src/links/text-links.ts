// Finds the links of one text: Markdown, HTML, or a ProseMirror document. Pure. It is slow on texts made to be slow,
// and therefore runs in a thread.
import { Parser } from 'htmlparser2';
import { lexer, type Token, walkTokens } from 'marked';
import { isObject } from '../lib/json.ts';

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
  walkTokens(lexer(text), (token: Token) => {
    if ((token.type === 'link' || token.type === 'image') && typeof token.href === 'string') links.push(token.href);
    if (token.type === 'html') links.push(...htmlLinks(token.raw));
  });
  return links;
}

export function htmlLinks(text: string): string[] {
  const links: string[] = [];
  const parser = new Parser({
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
  return srcset.split(/,\s+/).flatMap((candidate) => /^\s*(\S+)/.exec(candidate)?.[1]?.replace(/,+$/, '') || []);
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
