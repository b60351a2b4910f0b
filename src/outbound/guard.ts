// Which addresses a site may connect to. The address is judged when the connection is made, after DNS, so that a name that
// resolves to another address the second time gains nothing.
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './address.ts';
import { OutboundError } from './error.ts';
import { createResolver, type Resolve } from './names.ts';

export interface Guard {
  /** For `net.connect`: gives only addresses that may be connected to. */
  lookup: LookupFunction;
  /** A literal address never comes to the lookup. @throws OutboundError `private_address` */
  check(url: URL): void;
}

export interface GuardParts {
  /** Asked at every connection. */
  allowPrivate(): boolean;
  /** One for all sites of the process; one of its own if absent. */
  resolve?: Resolve;
}

export function createGuard({ allowPrivate, resolve = createResolver() }: GuardParts): Guard {
  return {
    lookup(name, options, done) {
      resolve(name, (error, found) => {
        if (error) return done(error, '', 0);
        const allowed = allowPrivate() ? found : found.filter(({ address }) => isPublicAddress(address));
        const wanted = allowed.filter(({ family }) => !options.family || `${options.family}`.endsWith(`${family}`));
        const [first] = wanted;
        if (!first) return done(refusedAddress(name), '', 0);
        if (options.all) done(null, wanted);
        else done(null, first.address, first.family);
      });
    },
    check({ hostname }) {
      // WHATWG's parser has brought 0x7f.1 and its like to dotted form.
      const host = hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) && !allowPrivate() && !isPublicAddress(host)) throw refusedAddress(host);
    },
  };
}

function refusedAddress(host: string): OutboundError {
  return new OutboundError(
    'private_address',
    `${host} is not an address of the public internet; allowPrivateTargets in the site's settings allows others`,
  );
}
