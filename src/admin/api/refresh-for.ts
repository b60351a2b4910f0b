// Which addresses an event of the service makes old. Pure.
import { toLiveUrl } from './live-url.ts';
import type { ServiceEvent } from './service-event.ts';

const OLD: Readonly<Record<string, readonly string[]>> = {
  // After a connection was lost anything may have happened.
  hello: ['/'],
  // What the site shows of a document is asked for with the deploys.
  change: ['/api/cms/', '/api/admin/status', '/api/admin/deploys/live?'],
  media: ['/api/media'],
  job: ['/api/cms/scheduled'],
  submission: ['/api/admin/forms'],
  deploy: ['/api/admin/deploys'],
  'deploy-run': ['/api/admin/deploys'],
  curation: ['/api/cms/curation'],
  agent: ['/api/cms/agents'],
  // Without the translations: one that is asked for while it is out of date is made, at the model's price.
  voice: ['/api/cms/brand-voice?versions=1'],
  team: ['/api/admin/users', '/api/admin/people'],
};

/** Addresses of what was deleted are not asked for again. */
export function isGoneBy(event: string, data: unknown): ((url: string) => boolean) | undefined {
  const change = data as { event?: string; collection?: string; id?: string; slug?: string };
  if (event === 'submission') return isRemoved(data as { change: string; form: string; id: string });
  if (event === 'agent') return isRemovedAgent(data as { change: string; id: string });
  if (event !== 'change' || change.event !== 'document.deleted') return undefined;
  const paths = [change.id, change.slug].map(
    (name) => `/api/cms/${change.collection}/${encodeURIComponent(name ?? '')}`,
  );
  const live = toLiveUrl(change.collection ?? '', change.id ?? '');
  return (url) => url === live || paths.some((path) => url === path || url.startsWith(`${path}/`));
}

function isRemoved(news: { change: string; form: string; id: string }): ((url: string) => boolean) | undefined {
  if (news.change !== 'removed') return undefined;
  const path = `/api/admin/forms/${encodeURIComponent(news.form)}/submissions/${encodeURIComponent(news.id)}`;
  return (url) => url === path;
}

function isRemovedAgent({ change, id }: { change: string; id: string }): ((url: string) => boolean) | undefined {
  const path = `/api/cms/agents/${encodeURIComponent(id)}`;
  return change === 'removed' ? (url) => url === path || url.startsWith(`${path}/`) : undefined;
}

/** A restored backup may have changed anything, as may have happened while a connection was lost. */
export function isRestore({ event, data }: ServiceEvent): boolean {
  if (event !== 'job') return false;
  const { job, state } = data as { job: string; state: string };
  return job === 'restore' && state !== 'running';
}

export function refreshFor(event: string): readonly string[] {
  return OLD[event] ?? [];
}
