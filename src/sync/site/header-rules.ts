// Netlify's `_headers`: a path, and below it, indented, `Name: value`. All blocks that fit apply; a later one replaces a
// header of an earlier one, and a name twice in one block gives both values.
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { type PathPattern, parsePathPattern } from './path-pattern.ts';

export interface HeaderRules {
  /** For a path of decoded segments. Names in lower case. */
  find(segments: readonly string[]): Record<string, string>;
  /**
   * `user:password` pairs of Netlify's `Basic-Auth`, one of which is needed; undefined if the page is open. `addresses`
   * are all paths that show the page: a password on one of them holds for each.
   */
  findPasswords(addresses: readonly (readonly string[])[]): string[] | undefined;
  hasPasswords: boolean;
  problems: string[];
}

interface HeaderBlock {
  pattern: PathPattern | undefined;
  headers: Map<string, string>;
}

/** These say how the answer is sent, which only the server knows. */
const OURS = new Set([
  'accept-ranges',
  'connection',
  'content-encoding',
  'content-length',
  'content-range',
  'date',
  'etag',
  'keep-alive',
  'location',
  'server',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const PASSWORDS = 'basic-auth';
const MAX_LINES = 20_000;

export function parseHeaderRules(text: string): HeaderRules {
  const problems: string[] = [];
  const blocks: HeaderBlock[] = [];
  for (const [index, line] of text.split('\n').slice(0, MAX_LINES).entries()) {
    const words = line.trim();
    if (words === '' || words.startsWith('#')) continue;
    const problem = /^\s/.test(line) ? addHeader(blocks.at(-1), words) : addBlock(blocks, words);
    if (problem !== undefined) problems.push(`_headers, line ${index + 1}: ${problem}`);
  }
  const fitting = (segments: readonly string[]): HeaderBlock[] =>
    blocks.filter(({ pattern }) => pattern?.(segments) !== undefined);
  const locked = blocks.filter(({ headers }) => headers.has(PASSWORDS));
  return {
    problems,
    hasPasswords: locked.length > 0,
    find(segments) {
      const found = Object.assign({}, ...fitting(segments).map(({ headers }) => Object.fromEntries(headers)));
      delete found[PASSWORDS];
      return found;
    },
    findPasswords(addresses) {
      const last = locked.findLast(({ pattern }) => addresses.some((segments) => pattern?.(segments) !== undefined));
      return last?.headers
        .get(PASSWORDS)
        ?.split(' ')
        .filter((pair) => pair.includes(':'));
    },
  };
}

/** `/*`, or the whole address of a host, whose path counts. */
function addBlock(blocks: HeaderBlock[], text: string): string | undefined {
  const pattern = parsePathPattern(text.replace(/^https?:\/\/[^/]+/i, ''));
  blocks.push({ pattern, headers: new Map() });
  return pattern ? undefined : `"${text}" is not a path; its headers are left out`;
}

function addHeader(block: HeaderBlock | undefined, text: string): string | undefined {
  if (!block) return 'there is no path above the header';
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(0, colon)).trim().toLowerCase();
  const value = text.slice(colon + 1).trim();
  if (OURS.has(name)) return `"${name}" is the server's own`;
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (error) {
    return (error as Error).message;
  }
  const earlier = block.headers.get(name);
  const separator = name === PASSWORDS ? ' ' : ', ';
  block.headers.set(name, earlier === undefined ? value : `${earlier}${separator}${value}`);
  return undefined;
}
