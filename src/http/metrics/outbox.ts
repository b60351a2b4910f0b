// What /metrics reports about what leaves the service.
import { Gauge, type Registry } from 'prom-client';

export interface OutboxReading {
  id: string;
  outbox: { counts(): { topic: string; pending: number; failed: number }[] };
  follower: { targets(): { topic: string; target: string; isWaiting: boolean }[] };
}

/** Calls `read` for the open sites when the metrics are read. */
export function outboxMetrics(registry: Registry, read: () => OutboxReading[]): void {
  new Gauge({
    name: 'colophon_outbox_entries',
    help: 'Entries that wait to be sent, and that recently failed for good, by site, topic and state',
    labelNames: ['site', 'topic', 'state'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { id: site, outbox } of read()) {
        for (const { topic, pending, failed } of outbox.counts()) {
          this.set({ site, topic, state: 'pending' }, pending);
          this.set({ site, topic, state: 'failed' }, failed);
        }
      }
    },
  });
  new Gauge({
    name: 'colophon_outbox_full',
    help: '1 if so much waits to be sent to a target that it gets no further changes until some of it is sent',
    labelNames: ['site', 'topic', 'target'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { id: site, follower } of read()) {
        for (const { topic, target, isWaiting } of follower.targets())
          this.set({ site, topic, target }, isWaiting ? 1 : 0);
      }
    },
  });
}
