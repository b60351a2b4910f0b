// What /metrics reports about the content repositories: changes that wait for the branch, and the locks it may wait
// for.
import { Gauge, type Registry } from 'prom-client';

export interface RepositoryReading {
  site: string;
  store: {
    log: { status(): { unflushed: number; waitingBytes: number } };
    locks: { list(): readonly { file: string; ageMs: number }[] };
  };
}

/** Calls `read` for the open sites when the metrics are read. */
export function repositoryMetrics(registry: Registry, read: () => RepositoryReading[]): void {
  const add = (
    name: string,
    help: string,
    labelNames: readonly ('site' | 'lock')[],
    readings: (reading: RepositoryReading) => { labels: Record<string, string>; value: number }[],
  ): void => {
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect() {
        this.reset();
        for (const one of read()) for (const { labels, value } of readings(one)) this.set(labels, value);
      },
    });
  };
  add(
    'colophon_repository_lock_age_seconds',
    'Age of locks of git that stay in the repository, by site and file',
    ['site', 'lock'],
    ({ site, store }) =>
      store.locks.list().map(({ file, ageMs }) => ({ labels: { site, lock: file }, value: ageMs / 1000 })),
  );
  add(
    'colophon_unflushed_commits',
    'Acknowledged commits that the branch does not have yet, by site',
    ['site'],
    ({ site, store }) => [{ labels: { site }, value: store.log.status().unflushed }],
  );
  add(
    'colophon_waiting_bytes',
    'Memory of the changes that the branch does not have yet, by site; above a bound writes are refused',
    ['site'],
    ({ site, store }) => [{ labels: { site }, value: store.log.status().waitingBytes }],
  );
}
