// What /metrics reports about remotes: how far each site and its remote are apart.
import { Gauge, type Registry } from 'prom-client';

export interface RemoteReading {
  site: string;
  status: { ahead: number; failures: number; unpushedSince: string | null; lastFetchAt: string | null };
}

/** Calls `read` for the sites that have a remote when the metrics are read. */
export function remoteMetrics(registry: Registry, now: () => Date, read: () => RemoteReading[]): void {
  const seconds = (since: string | null): number | undefined =>
    since === null ? undefined : Math.max(0, (now().getTime() - Date.parse(since)) / 1000);
  const add = (name: string, help: string, reading: (status: RemoteReading['status']) => number | undefined): void => {
    new Gauge({
      name,
      help,
      labelNames: ['site'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { site, status } of read()) {
          const value = reading(status);
          if (value !== undefined) this.set({ site }, value);
        }
      },
    });
  };
  add('colophon_remote_unpushed_commits', 'Commits that the remote does not have yet, by site', ({ ahead }) => ahead);
  add(
    'colophon_remote_unpushed_seconds',
    'Age of the oldest commit that the remote does not have yet, by site; 0 if it has them all',
    ({ unpushedSince }) => seconds(unpushedSince) ?? 0,
  );
  add(
    'colophon_remote_fetch_age_seconds',
    'Time since the service last reached the remote, by site',
    ({ lastFetchAt }) => seconds(lastFetchAt),
  );
  add(
    'colophon_remote_failures',
    'Failed attempts to reach the remote since the start, by site',
    ({ failures }) => failures,
  );
}
