// What the service knows about a request before it looks at the body: method, headers, the client's address and the
// host it asked for. Does not use koa, so that a hot path in front of the router can import it.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { nanoid } from 'nanoid';
import { isLoopbackAddress, isLoopbackHost } from '../lib/loopback.ts';

/** The request as authentication sees it. */
export interface HttpRequest {
  method: string;
  headers: IncomingHttpHeaders;
  /** The client's address (see `clientIp`). */
  ip: string;
  /** Host and port that the client asked for, in lower case; empty if it named none. */
  host: string;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * Headers that two programs on the way could read differently if they came twice: which site, who, and what kind of
 * body.
 */
const ONCE: ReadonlySet<string> = new Set(['host', 'authorization', 'content-type']);
const ONCE_LENGTHS: ReadonlySet<number> = new Set([...ONCE].map(({ length }) => length));
/** RFC 3986, section 3.2: what a host and port are made of. */
const HOST = /^[\w.~%!$&'()*+;=:[\]-]*$/;

/**
 * Why a request must be refused because of its headers, as a sentence; undefined if it need not be. RFC 9112, section
 * 3.2: HTTP/1.1 requires one valid Host header.
 */
export function headerProblem({ rawHeaders, headers, httpVersion }: IncomingMessage): string | undefined {
  const seen: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (!ONCE_LENGTHS.has(rawHeaders[i]!.length)) continue;
    const name = rawHeaders[i]!.toLowerCase();
    if (!ONCE.has(name)) continue;
    if (seen.includes(name)) return `${rawHeaders[i]} header must be sent once`;
    seen.push(name);
  }
  if (headers.host === undefined) return httpVersion === '1.1' ? 'Host header is missing' : undefined;
  return HOST.test(headers.host) ? undefined : 'Host header is not a host';
}

/** The client's own X-Request-Id if it is well-formed, else a new one. */
export function requestIdOf(req: IncomingMessage): string {
  const sent = req.headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : nanoid(16);
}

/**
 * The address of the client. Each trusted proxy appends the address it heard from to X-Forwarded-For, so with N proxies
 * the N-th entry from the right is the client; the client itself wrote whatever stands left of it. If that entry is not
 * an address, such as `unknown`, the proxy's own address counts.
 */
export function clientIp(req: IncomingMessage, trustProxy: number): string {
  const socket = plainIp(req.socket.remoteAddress ?? '');
  const forwarded = req.headers['x-forwarded-for'];
  if (trustProxy === 0 || forwarded === undefined) return socket;
  const hops = String(forwarded)
    .split(',')
    .map((hop) => hop.trim())
    .filter((hop) => hop !== '');
  const client = plainIp(withoutPort(hops[Math.max(0, hops.length - trustProxy)] ?? ''));
  return isIP(client) === 0 ? socket : client;
}

/**
 * Returns true if the other end of the connection is this machine, it asks for this machine, and no proxy says that it
 * forwards for a client. The host is checked because a page whose own name resolves to loopback asks for that name.
 */
export function isLoopback(req: IncomingMessage): boolean {
  if (req.headers['x-forwarded-for'] !== undefined || req.headers.forwarded !== undefined) return false;
  if (!isLoopbackHost(req.headers.host ?? '')) return false;
  const address = plainIp(req.socket.remoteAddress ?? '');
  return address === '::1' || address.startsWith('127.');
}

/**
 * Returns true for a request of a page whose own name resolves to this machine: it came over loopback, by no proxy, for a
 * name that is not one of loopback. To the browser such a page and the service are one origin.
 */
export function isRebound({ headers, socket }: IncomingMessage): boolean {
  if (headers.origin === undefined || headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) {
    return false;
  }
  const address = plainIp(socket.remoteAddress ?? '');
  return isLoopbackAddress(address) && !isLoopbackHost(headers.host ?? '');
}

export function toHttpRequest(req: IncomingMessage, trustProxy: number): HttpRequest {
  const forwarded = trustProxy > 0 ? req.headers['x-forwarded-host'] : undefined;
  const host =
    String(forwarded ?? req.headers.host ?? '')
      .split(',')
      .at(-1) ?? '';
  return {
    method: req.method ?? 'GET',
    headers: req.headers,
    ip: clientIp(req, trustProxy),
    host: host.trim().toLowerCase(),
  };
}

/**
 * Some proxies pass on `1.2.3.4:5678` and `[2001:db8::1]:5678`; with the port, each connection would be another client.
 */
function withoutPort(hop: string): string {
  return /^\[([^\]]*)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
}

/** IPv4 addresses that arrive on a socket of both families lose their IPv6 prefix. */
function plainIp(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
