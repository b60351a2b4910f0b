// Notices a proxy that CMS_TRUST_PROXY does not count: all clients then have the proxy's address and share its limits.
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Warn } from '../lib/warn.ts';

export interface ProxyWatch {
  /** Returns a listener that looks at each request first. */
  watch(listener: RequestListener): RequestListener;
  /** For `/readyz`. */
  warnings(): string[];
}

const UNDECLARED =
  'a request came with X-Forwarded-For while CMS_TRUST_PROXY is 0: set it to the number of proxies in front of the ' +
  'service, or else all clients have the address of the proxy';

/** Calls `warn` once for each warning. */
export function createProxyWatch({ trustProxy, warn }: { trustProxy: number; warn: Warn }): ProxyWatch {
  let isUndeclared = false;

  function look({ headers }: IncomingMessage): void {
    if (isUndeclared || headers['x-forwarded-for'] === undefined) return;
    isUndeclared = true;
    warn(UNDECLARED);
  }

  return {
    watch: (listener) =>
      trustProxy > 0
        ? listener
        : (req, res) => {
            look(req);
            listener(req, res);
          },
    warnings: () => (isUndeclared ? [UNDECLARED] : []),
  };
}
