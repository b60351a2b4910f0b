// How often a host publishes. Automatic deploys wait for it; a person's never do, and the host may refuse them. Pure.
import type { ProviderName } from './providers/provider.ts';
import type { DeployRecord } from './runs/record.ts';

interface Pace {
  builds: number;
  withinMs: number;
}

/** GitHub Pages: a soft limit of 10 builds an hour (docs.github.com, "Usage limits"). */
const PACES: Partial<Record<ProviderName, Pace>> = { 'github-pages': { builds: 10, withinMs: 3600_000 } };

/** When the next automatic deploy may begin; undefined if it may now. */
export function putOffUntil(records: readonly DeployRecord[], provider: ProviderName, now: Date): Date | undefined {
  const ofHost = records.filter((record) => record.provider === provider);
  const times = [asked(ofHost), paced(ofHost, PACES[provider])].filter((time) => time !== undefined);
  const latest = Math.max(...times);
  return latest > now.getTime() ? new Date(latest) : undefined;
}

/** The host itself said when, and has accepted nothing since. */
function asked(records: readonly DeployRecord[]): number | undefined {
  const last = records.find(({ status }) => status === 'success' || status === 'failure');
  return last?.retryAt ? Date.parse(last.retryAt) : undefined;
}

function paced(records: readonly DeployRecord[], pace: Pace | undefined): number | undefined {
  if (!pace) return undefined;
  const published = records.filter(({ isPublished }) => isPublished).map(endOf);
  const oldest = published[pace.builds - 1];
  return oldest === undefined ? undefined : oldest + pace.withinMs;
}

function endOf({ startedAt, durationMs }: DeployRecord): number {
  return Date.parse(startedAt) + (durationMs ?? 0);
}
