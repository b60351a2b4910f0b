// What /metrics reports about deploys: how many of the history are in each state, and the newest one that has ended.
import { Gauge, type Registry } from 'prom-client';

export interface DeployReading {
  site: string;
  counts: Readonly<Record<string, number | undefined>>;
  last: { isSuccess: boolean; durationMs: number; endedAt: string } | undefined;
}

/** Calls `read` for the open sites when the metrics are read. */
export function deployMetrics(registry: Registry, read: () => DeployReading[]): void {
  new Gauge({
    name: 'colophon_deploys',
    help: 'Deploys of the history (the last 50), by site and status',
    labelNames: ['site', 'status'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { site, counts } of read()) {
        for (const [status, count = 0] of Object.entries(counts)) this.set({ site, status }, count);
      }
    },
  });
  const ofLast = (name: string, help: string, figure: (last: NonNullable<DeployReading['last']>) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['site'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { site, last } of read()) if (last) this.set({ site }, figure(last));
      },
    });
  };
  ofLast('colophon_deploy_last_success', '1 if the newest deploy that has ended was a success, by site', (last) =>
    last.isSuccess ? 1 : 0,
  );
  ofLast('colophon_deploy_last_duration_seconds', 'How long it took, by site', (last) => last.durationMs / 1000);
  ofLast('colophon_deploy_last_timestamp_seconds', 'When it ended, by site', (last) => Date.parse(last.endedAt) / 1000);
}
