// Links to places of this site in rich text and HTML: paths from the root, and addresses that begin as the site's own does.
// Found by how they begin, in time linear in the text; what stands in code of Markdown is not a link.
import { codeRanges } from './code-ranges.ts';

/** A link in a text, which may have a slash or none at its end, a query and a fragment. */
export interface SiteLink {
  start: number;
  link: string;
}

export interface SiteLinks {
  inMarkdown(text: string): SiteLink[];
  inHtml(text: string): SiteLink[];
  /** The link as a path from the root, and what stands before that; undefined for a link to anywhere else. */
  split(link: string): { origin: string; path: string } | undefined;
}

const BEGIN = /(?:\]\(|\]:|\b(?:href|src|poster)=)[ \t]{0,8}["'<]?/.source;
const REST = /[^\s"'<>()]{0,2048}/.source;
/** Behind an address that stands in a text as it is. */
const PUNCTUATION = /[?!.,:;*_~\]]+$/;

/** `baseUrl` is the address of the published site, which may be in a folder of its host. */
export function createSiteLinks(baseUrl?: string): SiteLinks {
  const own = baseUrl === undefined ? undefined : toPattern(baseUrl);
  const paths = `(${own === undefined ? '' : `(?:${own})?`}/${REST}${own === undefined ? '' : `|${own}(?:[?#]${REST})?`})`;
  // The address of the site counts as a link without a bracket, too.
  const bare = own === undefined ? '' : `|(?<![\\w/"'=])((?=https?:)${own}(?:[/?#]${REST})?)`;
  const links = new RegExp(`${BEGIN}${paths}${bare}`, 'gi');
  const origin = own === undefined ? undefined : new RegExp(`^${own}`, 'i');

  function find(text: string): SiteLink[] {
    return Array.from(text.matchAll(links), ({ index, 0: match, 1: path, 2: address }) => {
      const link = path ?? address!.replace(PUNCTUATION, '');
      return { start: path === undefined ? index : index + match.length - path.length, link };
    });
  }

  return {
    inHtml: find,
    inMarkdown(text) {
      const found = find(text);
      if (found.length === 0) return found;
      const code = codeRanges(text);
      let at = 0;
      return found.filter(({ start }) => {
        while (at < code.length && code[at]!.end <= start) at++;
        return !(at < code.length && code[at]!.start <= start);
      });
    },
    split(link) {
      if (link.startsWith('/') && !link.startsWith('//')) return { origin: '', path: link };
      const [found] = origin?.exec(link) ?? [];
      if (found === undefined) return undefined;
      const path = link.slice(found.length);
      return { origin: found, path: path.startsWith('/') ? path : `/${path}` };
    },
  };
}

/** The site's address, by either scheme or none, up to where a path, a query or a fragment may begin. */
function toPattern(baseUrl: string): string {
  const { host, pathname } = new URL(baseUrl);
  const place = (host + pathname).replace(/\/+$/, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return `(?:https?:)?//${place}(?![^/?#\\s"'<>()])`;
}
