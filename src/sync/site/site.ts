// Answers requests for a site: the pages and files of one tree, with its rules. Reads, and changes nothing.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import { type PreparedAnswer, toPreparedAnswer, toTextAnswer } from './prepared-answer.ts';
import { addressesOf, parseSitePath, resolve, type SiteRules } from './resolve.ts';
import { type SendOutcome, type SendParts, send } from './send.ts';

export interface SyncSite {
  answer(request: IncomingMessage, response: ServerResponse): Promise<SendOutcome>;
}

export interface SiteParts extends SendParts {
  rules(): SiteRules | Promise<SiteRules>;
  /** Whether tree and rules never change, so that answers may be remembered. */
  isFixed: boolean;
}

const MAX_PREPARED = 10_000;
const MAX_URL_LENGTH = 8192;

export function createSite({ tree, rules, small, isFixed }: SiteParts): SyncSite {
  const prepared = createBoundedMap<string, PreparedAnswer>(MAX_PREPARED);

  async function prepare(url: string, host: string): Promise<PreparedAnswer> {
    const known = prepared.get(url);
    if (known) return known;
    const [pathname, query] = splitUrl(url);
    const { redirects, headers } = await rules();
    const resolved = await resolve(tree, { redirects, headers }, { pathname, query, host });
    const missing = resolved.kind === 'missing' ? await tree.find('404.html') : undefined;
    const answer = toPreparedAnswer(resolved, headers.find(parseSitePath(pathname) ?? []), missing);
    // Rules may depend on the host, and queries make addresses without end.
    const isLasting = isFixed && resolved.kind === 'file' && resolved.status === 200 && !redirects.hasRewrites;
    if (isLasting && query === '') prepared.set(url, answer);
    return answer;
  }

  async function decide(request: IncomingMessage): Promise<PreparedAnswer> {
    const url = toLocal(request.url ?? '');
    if (url.length > MAX_URL_LENGTH) return toTextAnswer(414, 'The address is too long\n');
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return toTextAnswer(405, 'Use GET or HEAD\n', { allow: 'GET, HEAD' });
    }
    const found = rules();
    const { headers } = found instanceof Promise ? await found : found;
    const answer = await prepare(url, (request.headers.host ?? '').replace(/:\d*$/, '').toLowerCase());
    if (!headers.hasPasswords) return answer;
    // The page is locked, not one of its addresses.
    const shown = typeof answer.body === 'string' ? [] : addressesOf(answer.body.path);
    const needed = headers.findPasswords([parseSitePath(splitUrl(url)[0]) ?? [], ...shown]);
    if (!needed || hasPassword(request.headers.authorization, needed)) return answer;
    return toTextAnswer(401, 'A password is needed\n', { 'www-authenticate': 'Basic realm="Site", charset="UTF-8"' });
  }

  return {
    async answer(request, response) {
      let answer: PreparedAnswer;
      try {
        answer = await decide(request);
      } catch (error) {
        if (!(error instanceof URIError)) throw error;
        answer = toTextAnswer(400, 'The address is not percent-encoded UTF-8\n');
      }
      return send(request, response, answer, { tree, small });
    },
  };
}

/** A proxy may send the whole address. */
function toLocal(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/]*/i, '');
}

function splitUrl(url: string): [pathname: string, query: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}

function hasPassword(header: string | undefined, pairs: readonly string[]): boolean {
  const [, encoded = ''] = /^basic ([A-Za-z0-9+/=]{1,1024})$/i.exec(header ?? '') ?? [];
  const found = digest(Buffer.from(encoded, 'base64'));
  return pairs.some((pair) => timingSafeEqual(digest(pair), found));
}

function digest(bytes: Buffer | string): Buffer {
  return createHash('sha256').update(bytes).digest();
}
