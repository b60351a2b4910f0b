// Gauges of the sites that are open. Asked when somebody reads the metrics, and never before.
import { Gauge, type Registry } from 'prom-client';

interface MeasuredSite {
  id: string;
  view: { readonly size: number };
  outbox: { counts(): Iterable<{ topic: string; pending: number; failed: number }> };
}

export function siteMetrics(registry: Registry, openSites: () => MeasuredSite[]): void {
  const registers = [registry];
  new Gauge({
    name: 'colophon_documents',
    help: 'Documents in the index, by site',
    labelNames: ['site'],
    registers,
    collect() {
      for (const site of openSites()) this.set({ site: site.id }, site.view.size);
    },
  });
  new Gauge({
    name: 'colophon_outbox_entries',
    help: 'What waits to be sent, and what was given up lately, by site, topic and state',
    labelNames: ['site', 'topic', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { id: site, outbox } of openSites()) {
        for (const { topic, pending, failed } of outbox.counts()) {
          this.set({ site, topic, state: 'pending' }, pending);
          this.set({ site, topic, state: 'failed' }, failed);
        }
      }
    },
  });
}
