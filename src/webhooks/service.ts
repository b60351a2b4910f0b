// A site's webhooks: the events they are sent, and the results of the deliveries.
import { hash, randomUUID } from 'node:crypto';
import type { Permission } from '../access/principal.ts';
import type { CommitFeed } from '../history/feed/commit-feed.ts';
import { conflict, forbidden, notFound, ServiceError } from '../lib/errors.ts';
import type { Warn } from '../lib/warn.ts';
import type { Outbound } from '../outbound/request.ts';
import type { LogFollower } from '../outbox/follow-log.ts';
import type { OpenedOutbox } from '../outbox/open-outbox.ts';
import type { EntryState, EntryStatus, NewEntry } from '../outbox/outbox.ts';
import type { Settings, Webhook } from '../settings/settings.ts';
import { createDeliverer } from './deliver.ts';
import { type Delivery, toDelivery } from './delivery.ts';
import type { Events } from './events.ts';
import { LOG_EVENTS, messagesOf } from './from-log.ts';
import { type Message, toMessageBody } from './message.ts';

export interface DeliveriesQuery {
  webhook?: string | undefined;
  event?: string | undefined;
  state?: EntryState | undefined;
  limit: number;
  offset: number;
}

/** The caller. */
export interface DeliveryReader {
  permissions: ReadonlySet<Permission>;
}

export interface Webhooks extends Events {
  /** Newest first: waiting deliveries, and the last thousand finished ones. */
  deliveries(query: DeliveriesQuery): { deliveries: Delivery[]; total: number };
  /** Includes the body, as it would be sent now, if the caller may read its content. @throws 404 */
  delivery(id: string, reader: DeliveryReader): Promise<Delivery & { body?: unknown }>;
  /**
   * Sends it again now, under the same id. @throws 404, 409 if its webhook was removed, and 403 if the caller may not
   * read its content.
   */
  redeliver(id: string, reader: DeliveryReader): Promise<Delivery>;
  /** Sends the webhook a `ping`. @throws 404 */
  test(webhook: string): Promise<Delivery>;
  close(): void;
}

export interface WebhooksParts {
  site: string;
  settings: Pick<Settings, 'read' | 'subscribe'>;
  feed: Pick<CommitFeed, 'versionAt' | 'versionBy'>;
  /** URL at which a media file of the site is served. */
  mediaUrl(slug: string): string;
  outbox: OpenedOutbox;
  follower: LogFollower;
  outbound: Pick<Outbound, 'request'>;
  version: string;
  now: () => Date;
  warn: Warn;
}

const TOPIC = 'webhook';
/** The error of an emitted event without space: nothing else keeps it, so it is listed as failed. */
const NOT_SENT = 'too much waited for this webhook; redeliver it once some of that is sent';

export function createWebhooks(parts: WebhooksParts): Webhooks {
  const { site, settings, feed, outbox, follower, now, warn } = parts;
  const all = (): readonly Webhook[] => settings.read().webhooks;
  const find = (id: string): Webhook | undefined => all().find((webhook) => webhook.id === id);
  const bodyOf = (payload: unknown): Promise<Buffer> => toMessageBody(payload as Message, site, feed);

  outbox.register(
    TOPIC,
    createDeliverer({
      outbound: parts.outbound,
      findTarget: find,
      bodyOf,
      userAgent: `Colophon/${parts.version}`,
      now,
    }),
  );
  follower.listen({
    topic: TOPIC,
    // If no webhook wants events of the log, as on a site that only has forms, the log is not read.
    targets: () =>
      all().flatMap((webhook) => (LOG_EVENTS.some((event) => isWanted(webhook, event)) ? [webhook.id] : [])),
    async entriesOf(id, commit) {
      const webhook = find(id);
      if (!webhook) return [];
      const messages = await messagesOf(commit, (event) => isWanted(webhook, event), parts.mediaUrl);
      return messages.map(({ message, subject, againSince }) => {
        const of = [commit.changeId, subject, ...(againSince ? [againSince] : [])];
        return toEntry(id, subject, of, message);
      });
    },
  });
  const unsubscribe = settings.subscribe(async (after, before) => {
    await follower.refresh();
    const kept = new Set(after.webhooks.map(({ id }) => id));
    for (const { id } of before.webhooks) {
      if (kept.has(id)) continue;
      outbox.drop(TOPIC, id).catch((error) => warn('deliveries of a removed webhook could not be dropped', error));
    }
  });

  function toEntry(webhook: string, key: string, of: readonly string[], message: Message): NewEntry {
    return {
      id: deliveryId([webhook, message.event, ...of]),
      topic: TOPIC,
      key: `${webhook} ${key}`,
      target: webhook,
      about: { event: message.event },
      payload: message,
    };
  }

  const toShown = (status: EntryStatus): Delivery => toDelivery(status, find(status.target));

  async function getEntry(id: string) {
    const found = await outbox.find(TOPIC, id);
    if (!found) throw notFound(`delivery "${id}"`);
    return found;
  }

  return {
    async emit({ event, actor, data, at = now(), key = event, id = randomUUID() }) {
      const message: Message = { event, at: at.toISOString(), actor, data };
      const entries = all()
        .filter((webhook) => isWanted(webhook, event))
        .map((webhook) => toEntry(webhook.id, key, [id], message));
      const full = await outbox.addFitting(entries, all().length, NOT_SENT);
      for (const id of full)
        warn(
          `webhook "${id}" was not notified of ${event}: too much waits for it; redeliver it once some of that is sent`,
        );
    },
    deliveries({ webhook, event, state, limit, offset }) {
      const { items, total } = outbox.list({
        topic: TOPIC,
        isWanted: (entry) =>
          (webhook === undefined || entry.target === webhook) &&
          (event === undefined || entry.about.event === event) &&
          (state === undefined || entry.state === state),
        limit,
        offset,
      });
      return { deliveries: items.map(toShown), total };
    },
    async delivery(id, { permissions }) {
      const { status, payload } = await getEntry(id);
      const needed = neededFor(status.about.event ?? '');
      if (needed && !permissions.has(needed)) return toShown(status);
      return { ...toShown(status), body: JSON.parse((await bodyOf(payload)).toString('utf8')) };
    },
    async redeliver(id, { permissions }) {
      const { status } = await getEntry(id);
      const needed = neededFor(status.about.event ?? '');
      if (needed && !permissions.has(needed)) throw forbidden(`the permission ${needed} is needed to redeliver it`);
      if (!find(status.target)) throw conflict(`webhook "${status.target}" was removed`);
      if (!(await outbox.redeliver(TOPIC, id))) throw notFound(`delivery "${id}"`);
      return toShown((await getEntry(id)).status);
    },
    async test(webhook) {
      if (!find(webhook)) throw notFound(`webhook "${webhook}"`);
      const message: Message = { event: 'ping', at: now().toISOString(), actor: { kind: 'system' }, data: { webhook } };
      const entry = toEntry(webhook, 'ping', [randomUUID()], message);
      const full = await outbox.addFitting([entry], all().length);
      if (full.length > 0)
        throw new ServiceError('unavailable', `too much waits for webhook "${webhook}"; try again later`);
      return toShown((await getEntry(entry.id!)).status);
    },
    close: unsubscribe,
  };
}

function isWanted({ events }: Webhook, event: string): boolean {
  return events.includes('*') || (events as readonly string[]).includes(event);
}

/** Derived from the webhook and the event, so that the outbox and the receiver recognise repeats. */
function deliveryId(of: readonly string[]): string {
  return `msg_${hash('sha256', of.join('\n')).slice(0, 32)}`;
}

/** Returns the permission that is needed to read the body of a delivery; undefined for a `ping`. */
function neededFor(event: string): Permission | undefined {
  return READ_BY_KIND.find(([kind]) => event.startsWith(kind))?.[1];
}

const READ_BY_KIND: [string, Permission][] = [
  ['content.', 'content:read'],
  ['form.', 'forms:read'],
  ['media.', 'media:read'],
  ['deploy.', 'deploy:read'],
  ['backup.', 'sites:read'],
  ['agent.', 'org:settings:read'],
  ['repository.', 'content:read'],
];
