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

/** Undefined adds one. */
export function withWebhook(webhooks: readonly SiteWebhook[], id: string | undefined, fields: WebhookFields) {
  const { url, events, secret, isSecretNew } = fields;
  const own = secret !== '' ? { secret } : isSecretNew ? { secret: { generate: true } } : {};
  if (id === undefined) return { webhooks: [...webhooks, { url, events, ...own }] };
  return {
    webhooks: webhooks.map((one) => (one.id === id ? { ...one, ...(url === '' ? {} : { url }), events, ...own } : one)),
  };
}

export function withoutWebhook(webhooks: readonly SiteWebhook[], id: string) {
  return { webhooks: webhooks.filter((one) => one.id !== id) };
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
