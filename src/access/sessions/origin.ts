// The guard against forged cross-site requests (decisions.md, section 6). Programs send neither Origin nor
// Sec-Fetch-Site and pass; browsers always send one of them with an unsafe method.
import type { IncomingHttpHeaders } from 'node:http';
import { forbidden, type ServiceError } from '../../lib/errors.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

export interface AccessRequest {
  method: string;
  headers: IncomingHttpHeaders;
  /** The client's address; proxies are already accounted for. */
  ip: string;
  /** The requested host, with its port, as in `Host`. */
  host: string;
}

function isOwnOrigin(origin: string, host: string, publicOrigin: string | null): boolean {
  if (origin === publicOrigin) return true;
  const parsed = URL.parse(origin);
  if (!parsed || (parsed.protocol !== 'http:' && parsed.protocol !== 'https:')) return false;
  // Parsed with the origin's scheme, so that the scheme's default port is dropped on both sides.
  return host !== '' && URL.parse(`${parsed.protocol}//${host}`)?.host === parsed.host;
}

/** True for a request that a page of another origin may have caused. */
export function isCrossSite(request: AccessRequest, publicOrigin: string | null): boolean {
  if (SAFE.has(request.method.toUpperCase())) return false;
  const { origin } = request.headers;
  if (origin !== undefined && !isOwnOrigin(origin, request.host, publicOrigin)) return true;
  const site = request.headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

export function refuseCrossSite(request: AccessRequest, publicOrigin: string | null): void {
  if (isCrossSite(request, publicOrigin)) throw forbidden(whyCrossSite(request, publicOrigin));
}

/** The refusal of a page whose own name resolves to this machine. */
export function reboundHost(host: string): ServiceError {
  return forbidden(`"${short(host)}" is not a name of this service; if it is one, set CMS_PUBLIC_URL to its address`);
}

const MAX_ORIGIN_CHARS = 200;

/** Names what was sent, what is expected, and what to set if it is the service's own page. */
function whyCrossSite({ headers, host }: AccessRequest, publicOrigin: string | null): string {
  const { origin } = headers;
  if (origin === undefined || isOwnOrigin(origin, host, publicOrigin)) {
    return `a request from another site: the browser says Sec-Fetch-Site: ${short(headers['sec-fetch-site'])}`;
  }
  const own = [publicOrigin, host && `a page of ${short(host)}`].filter(Boolean).join(' or ') || 'none';
  const remedy = `if browsers reach the service as ${short(origin)}, as behind a proxy, set CMS_PUBLIC_URL to that`;
  return `a request from another site: its Origin is ${short(origin)}, expected ${own}; ${remedy}`;
}

function short(header: string | string[] | undefined): string {
  return String(header).slice(0, MAX_ORIGIN_CHARS);
}

/** The origin of an address; null if there is no address or it is not valid. */
export function toOrigin(url: string | undefined): string | null {
  return url === undefined ? null : (URL.parse(url)?.origin ?? null);
}
