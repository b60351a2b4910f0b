// `_redirects` as Netlify, Cloudflare Pages and the sync server read it: `from to [status[!]]`, a line each, the first
// match wins. Pure.
import type { Redirect } from '../../build/build.ts';

/** A rule that a build wrote. */
export interface RedirectRule {
  /** May have `*` at its end and `:name` segments. */
  from: string;
  /** May have `:splat` and `:name`; a path, or an address on another host. */
  to: string;
  status: number;
  /** Wins over a file at the same address. */
  isForced: boolean;
}

export interface RedirectLines {
  rules: RedirectRule[];
  /** Lines that only the host itself can read: conditions, query parameters, other hosts. */
  unknown: string[];
}

const STATUS = /^(\d{3})(!?)$/;

export function parseRedirectLines(text: string): RedirectLines {
  const rules: RedirectRule[] = [];
  const unknown: string[] = [];
  for (const raw of text.split('\n')) {
    const line = raw.replace(/(?:^|\s)#.*$/, '').trim();
    if (line === '') continue;
    const [from = '', to = '', status = '301', ...more] = line.split(/\s+/);
    const [, code, force] = STATUS.exec(status) ?? [];
    const isKnown = from.startsWith('/') && /^(?:\/|https?:\/\/)/.test(to) && code !== undefined && more.length === 0;
    if (isKnown) rules.push({ from, to, status: Number(code), isForced: force === '!' });
    else unknown.push(line);
  }
  return { rules, unknown };
}

/** Ours. */
export function toRedirectLine({ from, to }: Redirect): string {
  return `${toAddress(from)} ${toAddress(to)} 301\n`;
}

/**
 * A path as it stands in an address. Everything that means something in a rule is encoded: spaces, `*`, `:`, `(`, `)`.
 */
export function toAddress(path: string): string {
  return path.split('/').map(toSegment).join('/');
}

function toSegment(segment: string): string {
  return encodeURIComponent(segment.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
