// The one place of the service that opens a connection for HTTP. The caller gives the guard that says which addresses may
// be reached. Follows no redirect; a caller that does asks `sameHostRedirect`.
import { type ClientRequest, request as httpRequest, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { OutboundGuard } from './guard.ts';

/** @throws OutboundError `private_address`, or what Node throws for headers that HTTP cannot carry. */
export function openRequest(
  guard: OutboundGuard,
  url: URL,
  options: Omit<RequestOptions, 'lookup' | 'host' | 'hostname' | 'port' | 'protocol' | 'createConnection'>,
): ClientRequest {
  guard.check(url);
  const guarded: RequestOptions & { rejectUnauthorized: true } = {
    ...options,
    lookup: guard.lookup,
    rejectUnauthorized: true,
  };
  return url.protocol === 'https:' ? httpsRequest(url, guarded) : httpRequest(url, guarded);
}

/**
 * The address that a redirect names, if it is on the host that was asked: the same name and port, or from http to https.
 * Undefined if it leads elsewhere. Then it is not followed, because a host must not borrow the service's token or its
 * place in the network. Only for requests that change nothing.
 */
export function sameHostRedirect(from: URL, location: string | null | undefined): URL | undefined {
  const to = typeof location === 'string' ? URL.parse(location, from.href) : null;
  if (to?.username !== '' || to.password !== '') return undefined;
  if (to.origin === from.origin) return to;
  const isUpgrade = from.protocol === 'http:' && to.protocol === 'https:' && from.port === '' && to.port === '';
  return isUpgrade && to.hostname === from.hostname ? to : undefined;
}
