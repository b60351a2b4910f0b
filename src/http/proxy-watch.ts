// Notices a proxy that the service was not told of: then all clients have the proxy's address, and share its limits.
import type { IncomingMessage, RequestListener } from 'node:http';
import type { Warn } from '../lib/warn.ts';

export interface ProxyWatch {
  /** The listener, with a look at each request first. */
  watch(listener: RequestListener): RequestListener;
  /** For `/readyz`. */
  warnings(): string[];
}

const UNTOLD =
  'a request came with X-Forwarded-For while CMS_TRUST_PROXY is 0: set it to the number of proxies in front of the ' +
  'service, or else all clients have the address of the proxy';

/** `warn` gets each warning once. */
export function createProxyWatch({ trustProxy, warn }: { trustProxy: number; warn: Warn }): ProxyWatch {
  let isUntold = false;

  function look({ headers }: IncomingMessage): void {
    if (isUntold || headers['x-forwarded-for'] === undefined) return;
    isUntold = true;
    warn(UNTOLD);
  }

  return {
    watch: (listener) =>
      trustProxy > 0
        ? listener
        : (req, res) => {
            look(req);
            listener(req, res);
          },
    warnings: () => (isUntold ? [UNTOLD] : []),
  };
}
