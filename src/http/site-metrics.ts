// Gauges of the sites that are open. Asked when somebody reads the metrics, and never before.
import { Gauge, type Registry } from 'prom-client';

interface MeasuredSite {
  id: string;
  view: { readonly size: number };
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
}
