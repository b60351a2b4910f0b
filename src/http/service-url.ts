// The address of this service, for links that are given to the caller of a request.

/** A host as in RFC 3986; any other Host header that a client sends must not appear in a link. */
const HOST = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d+)?$/;

/** `CMS_PUBLIC_URL`, else the host of the request; empty if neither is known. Without a slash at its end. */
export function toServiceUrl(publicUrl: string | undefined, host: string): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, '');
  return HOST.test(host) ? `http://${host}` : '';
}
