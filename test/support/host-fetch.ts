// The service's own way out to hosts, for tests whose hosts are on this machine: any address is allowed.
import { createGuardedFetch } from '../../src/outbound/fetch.ts';

export const { fetch: fetchHost } = createGuardedFetch({ allowPrivate: () => true });
