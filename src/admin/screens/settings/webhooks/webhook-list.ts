// The webhooks of a site as a list that is sent as a whole: what one does not change goes back as it was read. Pure.
import type { SiteWebhook } from '../settings-shape.ts';

export interface WebhookFields {
  /** Empty keeps the stored address, of which only the origin is known here. */
  url: string;
  events: readonly string[];
  /** Empty keeps the stored secret, or has one made for a new webhook. */
  secret: string;
  isSecretNew: boolean;
}

/** `before` is how it was when its editing began; undefined adds one. */
export function withWebhook(webhooks: readonly SiteWebhook[], before: SiteWebhook | undefined, fields: WebhookFields) {
  const { url, events, secret, isSecretNew } = fields;
  const own = secret !== '' ? { secret } : isSecretNew ? { secret: { generate: true } } : {};
  if (before === undefined) return { webhooks: [...webhooks, { url, events, ...own }] };
  const changed = {
    ...(url === '' ? {} : { url }),
    ...(isSame(events, before.events) ? {} : { events }),
    ...own,
  };
  return { webhooks: webhooks.map((one) => (one.id === before.id ? { ...one, ...changed } : one)) };
}

/** What another person did meanwhile to the same webhook, if it does not go with the change. */
export function clashOf(
  webhooks: readonly SiteWebhook[],
  before: SiteWebhook,
  { url, events, secret, isSecretNew }: WebhookFields,
): 'gone' | 'changed' | undefined {
  const now = webhooks.find(({ id }) => id === before.id);
  if (!now) return 'gone';
  const isMoved =
    (url !== '' && now.url !== before.url) ||
    ((secret !== '' || isSecretNew) && JSON.stringify(now.secret) !== JSON.stringify(before.secret)) ||
    ![now.events, events].some((one) => isSame(one, before.events) || isSame(events, now.events));
  return isMoved ? 'changed' : undefined;
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}

export function withoutWebhook(webhooks: readonly SiteWebhook[], id: string) {
  return { webhooks: webhooks.filter((one) => one.id !== id) };
}

/** What each is called: by its address, and by its id too if another one has the same host. */
export function namesOf(webhooks: readonly SiteWebhook[]): ReadonlyMap<string, string> {
  const count = (url: string): number => webhooks.filter((one) => one.url === url).length;
  return new Map(webhooks.map(({ id, url }) => [id, count(url) > 1 ? `${url} (${id})` : url]));
}

/** `content.created`, `content.updated`, `form.submitted` as `content: [...]`, `form: [...]`. */
export function groupEvents(events: readonly string[]): [kind: string, events: string[]][] {
  const groups = new Map<string, string[]>();
  for (const event of events) {
    if (event === '*') continue;
    const [kind = ''] = event.split('.');
    groups.set(kind, [...(groups.get(kind) ?? []), event]);
  }
  return [...groups];
}
