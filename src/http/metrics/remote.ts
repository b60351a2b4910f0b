// What /metrics reports about remotes: how far each site and its remote are apart.
import { Gauge, type Registry } from 'prom-client';

export interface RemoteReading {
  site: string;
  status: { ahead: number; failures: number; unpushedSince: string | null; lastFetchAt: string | null };
  hasBytes: boolean | undefined;
}

/** Calls `read` for the sites that have a remote when the metrics are read. */
export function remoteMetrics(registry: Registry, now: () => Date, read: () => RemoteReading[]): void {
  const seconds = (since: string | null): number | undefined =>
    since === null ? undefined : Math.max(0, (now().getTime() - Date.parse(since)) / 1000);
  const add = (name: string, help: string, reading: (remote: RemoteReading) => number | undefined): void => {
    new Gauge({
      name,
      help,
      labelNames: ['site'],
      registers: [registry],
      collect() {
        this.reset();
        for (const remote of read()) {
          const value = reading(remote);
          if (value !== undefined) this.set({ site: remote.site }, value);
        }
      },
    });
  };
  add(
    'colophon_remote_unpushed_commits',
    'Commits that the remote does not have yet, by site',
    ({ status }) => status.ahead,
  );
  add(
    'colophon_remote_unpushed_seconds',
    'Age of the oldest commit that the remote does not have yet, by site; 0 if it has them all',
    ({ status }) => seconds(status.unpushedSince) ?? 0,
  );
  add(
    'colophon_remote_fetch_age_seconds',
    'Time since the service last reached the remote, by site; +Inf until it has',
    ({ status }) => seconds(status.lastFetchAt) ?? Number.POSITIVE_INFINITY,
  );
  add(
    'colophon_remote_failures',
    'Failed attempts to reach the remote since the start, by site',
    ({ status }) => status.failures,
  );
  add(
    'colophon_remote_has_bytes',
    '0 if the host of the remote lacks bytes of media, or Git LFS, by site; absent if media stay out of the remote',
    ({ hasBytes }) => (hasBytes === undefined ? undefined : Number(hasBytes)),
  );
}
