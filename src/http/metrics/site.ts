// Gauges of the open sites, computed only when the metrics are read.
import { Gauge, type Registry } from 'prom-client';

interface MeasuredSite {
  id: string;
  view: { readonly size: number };
  store: { log: { status(): { setAside: readonly string[] } } };
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
    name: 'colophon_set_aside',
    help: 'Changes that could not be replayed on an external commit and whose ref has not been removed yet, by site',
    labelNames: ['site'],
    registers,
    collect() {
      for (const { id: site, store } of openSites()) this.set({ site }, store.log.status().setAside.length);
    },
  });
}
