// Netlify's `_redirects`: `from [query] to [status[!]]`. The first rule that fits wins; a file at the path wins over all
// rules whose status has no `!`. Rules that need what this server has not (countries, roles, other hosts as a source of
// pages) are left out and reported.
import {
  fixedKey,
  isFixedPattern,
  type PathPattern,
  type PathValues,
  parsePathPattern,
  toSegments,
} from './path-pattern.ts';

export interface RedirectQuestion {
  /** Of the path, decoded. */
  segments: readonly string[];
  /** Without the question mark. */
  query: string;
  /** The `Host` header without its port, in lower case. */
  host: string;
}

export interface RedirectAnswer {
  /** 200 and 4xx show the page at `to`; 3xx leads there. */
  status: number;
  /** A path, or for 3xx also an address. */
  to: string;
}

export interface RedirectRules {
  /** `isForced` asks for the rules that win over files. */
  find(question: RedirectQuestion, isForced: boolean): RedirectAnswer | undefined;
  hasForced: boolean;
  /** Whether a file may be shown that is not the one at the path. */
  hasRewrites: boolean;
  /** The lines that were left out, with the reason. */
  problems: string[];
}

interface RedirectRule {
  at: number;
  from: string;
  /** Lower case; undefined for every host. */
  host: string | undefined;
  pattern: PathPattern;
  query: [name: string, value: string][];
  to: string;
  status: number;
  isForced: boolean;
}

const LEADING = new Set([301, 302, 303, 307, 308]);
const MAX_RULES = 20_000;

export function parseRedirects(text: string): RedirectRules {
  const problems: string[] = [];
  const rules: RedirectRule[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const words = wordsOf(line);
    if (words.length === 0) continue;
    const rule = rules.length < MAX_RULES ? parseRule(words, index) : `there are more than ${MAX_RULES} rules`;
    if (typeof rule === 'string') problems.push(`_redirects, line ${index + 1}: ${rule}`);
    else rules.push(rule);
  }
  const fixed = Map.groupBy(
    rules.filter(({ from }) => isFixedPattern(from)),
    ({ from }) => fixedKey(toSegments(from)),
  );
  const open = rules.filter(({ from }) => !isFixedPattern(from));

  return {
    problems,
    hasForced: rules.some(({ isForced }) => isForced),
    hasRewrites: rules.some(({ isForced, status }) => isForced || status === 200),
    find(question, isForced) {
      const isAsked = (rule: RedirectRule): boolean => rule.isForced === isForced;
      const near = (fixed.get(fixedKey(question.segments)) ?? []).filter(isAsked);
      for (const rule of merge(near, open.filter(isAsked))) {
        const answer = applyRule(rule, question);
        if (answer) return answer;
      }
      return undefined;
    },
  };
}

/** Both lists are in the order of their lines. */
function* merge(near: readonly RedirectRule[], open: readonly RedirectRule[]): Generator<RedirectRule> {
  let next = 0;
  for (const rule of open) {
    for (; next < near.length && near[next]!.at < rule.at; next++) yield near[next]!;
    yield rule;
  }
  yield* near.slice(next);
}

function wordsOf(line: string): string[] {
  const words = line.split(/\s+/).filter((word) => word !== '');
  const comment = words.findIndex((word) => word.startsWith('#'));
  return comment < 0 ? words : words.slice(0, comment);
}

/** A rule, or the reason why it is left out. */
function parseRule([source = '', ...rest]: readonly string[], at: number): RedirectRule | string {
  const goal = rest.findIndex((word) => word.startsWith('/') || /^https?:\/\//i.test(word));
  const to = rest[goal];
  if (to === undefined) return 'there is no path or address to lead to';
  const [, host, path] = /^https?:\/\/([^/:]+)(?::\d+)?(\/.*)?$/i.exec(source) ?? [undefined, undefined, source];
  const from = path ?? '/';
  if (from.slice(0, -1).includes('*') || /[^/]\*$/.test(from)) return 'a star must be the last segment';
  const pattern = parsePathPattern(from);
  if (!pattern) return `"${source}" is not a path`;
  const [code = '301', ...conditions] = rest.slice(goal + 1);
  const [, digits = '', mark] = /^(\d{3})(!?)$/.exec(code) ?? [];
  const status = Number(digits);
  if (conditions.length > 0 || (digits === '' && code.includes('='))) return 'conditions are not supported';
  const isShown = status === 200 || (status >= 400 && status < 500);
  if (!LEADING.has(status) && !isShown) return `"${code}" is not a status that is supported`;
  if (isShown && !to.startsWith('/')) return 'pages of other hosts are not shown';
  const query = rest.slice(0, goal).map((word): [string, string] => {
    const equals = word.indexOf('=');
    return equals < 0 ? [word, ''] : [word.slice(0, equals), word.slice(equals + 1)];
  });
  return { at, from, host: host?.toLowerCase(), pattern, query, to, status, isForced: mark === '!' };
}

function applyRule(rule: RedirectRule, { segments, query, host }: RedirectQuestion): RedirectAnswer | undefined {
  if (rule.host !== undefined && rule.host !== host) return undefined;
  const values = rule.pattern(segments);
  if (!values || !takeQuery(rule, query, values)) return undefined;
  const to = rule.to.replace(/:([A-Za-z][A-Za-z0-9_]*)/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? values[name]!.split('/').map(encodeURIComponent).join('/') : whole,
  );
  const isLeading = LEADING.has(rule.status);
  // A rule that leads to where it begins would never end.
  if (to.startsWith('/') && isSamePath(to, segments)) return undefined;
  if (!isLeading) return { status: rule.status, to };
  const isPassedOn = query !== '' && rule.query.length === 0 && !to.includes('?');
  return { status: rule.status, to: encodeRest(isPassedOn ? withQuery(to, query) : to) };
}

function isSamePath(to: string, segments: readonly string[]): boolean {
  return fixedKey(toSegments(to.replace(/[?#].*$/s, ''))) === fixedKey(segments);
}

function takeQuery(rule: RedirectRule, query: string, values: PathValues): boolean {
  if (rule.query.length === 0) return true;
  const found = new URLSearchParams(query);
  return rule.query.every(([name, expected]) => {
    const value = found.get(name);
    if (value === null) return false;
    if (!expected.startsWith(':')) return value === expected;
    values[expected.slice(1)] = value;
    return true;
  });
}

function withQuery(to: string, query: string): string {
  const at = to.indexOf('#');
  return at < 0 ? `${to}?${query}` : `${to.slice(0, at)}?${query}${to.slice(at)}`;
}

/** A header has ASCII only. What is percent-encoded already stays. */
function encodeRest(text: string): string {
  return text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent);
}
