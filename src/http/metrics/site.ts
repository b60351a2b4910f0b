// Gauges of the open sites, computed only when the metrics are read.
import { Gauge, type Registry } from 'prom-client';

interface MeasuredSite {
  id: string;
  view: { readonly size: number };
  store: { log: { status(): { setAside: readonly string[] } } };
  stored: { read(): { bytes: number; quotaBytes: number | null } };
  backups: { list(): readonly { status: string; createdAt: string }[] };
}

export function siteMetrics(registry: Registry, now: () => Date, openSites: () => MeasuredSite[]): void {
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
  new Gauge({
    name: 'colophon_stored_bytes',
    help: 'Bytes of all files of a site, as last measured, by site',
    labelNames: ['site'],
    registers,
    collect() {
      for (const { id: site, stored } of openSites()) this.set({ site }, stored.read().bytes);
    },
  });
  new Gauge({
    name: 'colophon_backup_age_seconds',
    help: 'Age of the newest complete backup, by site; +Inf before the first one',
    labelNames: ['site'],
    registers,
    collect() {
      for (const { id: site, backups } of openSites()) {
        const newest = backups.list().find(({ status }) => status === 'complete');
        const ageMs = newest ? now().getTime() - Date.parse(newest.createdAt) : Number.POSITIVE_INFINITY;
        this.set({ site }, Math.max(0, ageMs / 1000));
      }
    },
  });
  new Gauge({
    name: 'colophon_quota_bytes',
    help: 'The most bytes that a site may have, by site; absent without a quota',
    labelNames: ['site'],
    registers,
    collect() {
      for (const { id: site, stored } of openSites()) {
        const { quotaBytes } = stored.read();
        if (quotaBytes !== null) this.set({ site }, quotaBytes);
      }
    },
  });
}
