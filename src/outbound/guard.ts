// Which addresses may be connected to. Checks the address when the connection is made, after DNS, so that a name that
// resolves to another address the second time gains nothing.
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './address.ts';
import { OutboundError } from './error.ts';
import { createResolver, type Resolve } from './names.ts';

export interface OutboundGuard {
  /** For `net.connect`: returns only addresses that may be connected to. */
  lookup: LookupFunction;
  /** Needed because a literal address never reaches `lookup`. @throws OutboundError `private_address` */
  check(url: URL): void;
}

export interface GuardParts {
  /** Called at every connection. */
  allowPrivate(): boolean;
  /** Shared by all sites of the process; if absent, the guard makes its own. */
  resolve?: Resolve | undefined;
  /** What allows other addresses, for the refusal. */
  remedy?: string | undefined;
}

const REMEDY = 'allowPrivateTargets in the site’s settings allows others';
/** For addresses of providers, which a site's administrators type and which have no setting of their own. */
export const OPERATOR_REMEDY = 'with several sites only CMS_ALLOW_PRIVATE_TARGETS=on allows others';

export function createGuard({ allowPrivate, resolve = createResolver(), remedy = REMEDY }: GuardParts): OutboundGuard {
  function refusedAddress(host: string): OutboundError {
    return new OutboundError('private_address', `"${host}" is not an address of the public internet; ${remedy}`);
  }

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
      // WHATWG's parser has normalised forms such as 0x7f.1 to dotted decimals.
      const host = hostname.replace(/^\[|\]$/g, '');
      if (isIP(host) && !allowPrivate() && !isPublicAddress(host)) throw refusedAddress(host);
    },
  };
}
