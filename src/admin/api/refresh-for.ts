// Which addresses an event of the service makes old. Pure.

const OLD: Readonly<Record<string, readonly string[]>> = {
  // After a connection was lost anything may have happened.
  hello: ['/'],
  change: ['/api/cms/', '/readyz'],
  media: ['/api/media'],
  deploy: ['/api/admin/deploys'],
};

/** Addresses of a document that was deleted are not asked for again. */
export function isGoneBy(event: string, data: unknown): ((url: string) => boolean) | undefined {
  const change = data as { event?: string; collection?: string; id?: string; slug?: string };
  if (event !== 'change' || change.event !== 'document.deleted') return undefined;
  const paths = [change.id, change.slug].map(
    (name) => `/api/cms/${change.collection}/${encodeURIComponent(name ?? '')}`,
  );
  return (url) => paths.some((path) => url === path || url.startsWith(`${path}/`));
}

export function refreshFor(event: string): readonly string[] {
  return OLD[event] ?? [];
}
