// The ways of a site out of the service, by who chose the address: people of the site who typed it, or its settings that
// name a host.
import { createGuardedFetch } from '../outbound/fetch.ts';
import { OPERATOR_REMEDY } from '../outbound/guard.ts';
import type { Resolve } from '../outbound/names.ts';
import { createOutbound, type GuardedOutbound } from '../outbound/request.ts';
import type { Settings } from '../settings/settings.ts';

export interface WaysOutParts {
  settings: Pick<Settings, 'read'>;
  mayAllowPrivate(): boolean;
  resolve: Resolve;
}

export interface WaysOut {
  outbound: GuardedOutbound;
  /** To hosts: providers of deploys, the git host. */
  fetch: typeof fetch;
  close(): void;
}

export function openWaysOut({ settings, mayAllowPrivate, resolve }: WaysOutParts): WaysOut {
  const outbound = createOutbound({
    allowPrivate: () => settings.read().allowPrivateTargets && mayAllowPrivate(),
    resolve,
  });
  const hosts = createGuardedFetch({ allowPrivate: mayAllowPrivate, resolve, remedy: OPERATOR_REMEDY });
  return {
    outbound,
    fetch: hosts.fetch,
    close() {
      outbound.close();
      hosts.close();
    },
  };
}
