// A site in this process whose commits reach a receiver: content, outbox, follower and webhooks. A test can reopen it,
// or open it as a crash would leave it.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { mediaUrl } from '../../src/media/names.ts';
import { createOutbound } from '../../src/outbound/request.ts';
import { followLog, type LogFollower } from '../../src/outbox/follow-log.ts';
import { openOutbox } from '../../src/outbox/open-outbox.ts';
import type { OutboxParts } from '../../src/outbox/outbox-state.ts';
import { type SettingsListener, SiteSettings } from '../../src/settings/settings.ts';
import { createWebhooks, type Webhooks } from '../../src/webhooks/service.ts';
import { makePlace, type Place } from '../history/world.ts';
import type { Receiver } from '../support/receiver.ts';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** Name of the mark of a webhook. */
export const markOf = (webhook: string): string => `log webhook ${webhook}`;
/** Name of the mark of `hookTo`'s webhook. */
export const MARK = markOf('one');

export interface FollowedSite extends AsyncDisposable {
  place: Place;
  webhooks: Webhooks;
  outbox: Awaited<ReturnType<typeof openOutbox>>;
  follower: LogFollower;
  warnings: string[];
  /** Resolves when all listeners have applied the change. */
  set(webhooks: SiteSettings['webhooks']): Promise<void>;
  /** `forget` also removes the index of the history. */
  reopen(change?: { forget?: boolean }): Promise<void>;
  /** Reopens with the outbox as it was before `work`: as after a crash before any of it was written there. */
  crashAfter(work: () => Promise<void>): Promise<void>;
}

export const hookTo = ({ url }: Pick<Receiver, 'url'>, more: object = {}): SiteSettings['webhooks'][number] => ({
  id: 'one',
  url,
  secret: SECRET,
  events: ['*'],
  ...more,
});

export async function followSite(
  webhooks: SiteSettings['webhooks'],
  parts: Partial<OutboxParts> = {},
): Promise<FollowedSite> {
  const place = await makePlace();
  const folder = join(place.folder, '_data', 'deliveries');
  const listeners = new Set<SettingsListener>();
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  let settings = SiteSettings.parse({ webhooks, allowPrivateTargets: true });
  let close: () => Promise<void>;

  async function open(): Promise<void> {
    const { history } = place.cms.site;
    const now = () => new Date();
    const outbound = createOutbound({ allowPrivate: () => settings.allowPrivateTargets });
    const fast = { schedule: new Array(200).fill(10), limits: { pauseMs: 5 } };
    const outbox = await openOutbox({ folder, now, warn, ...fast, ...parts });
    const follower = followLog({ feed: history, outbox, warn, retryMs: 20 });
    site.outbox = outbox;
    site.follower = follower;
    site.webhooks = createWebhooks({
      site: 'default',
      settings: {
        read: () => settings,
        subscribe(listener) {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      },
      feed: history,
      mediaUrl: (slug) => mediaUrl(slug, 'default'),
      outbox,
      follower,
      outbound,
      version: '0.0.0',
      now,
      warn,
    });
    close = async () => {
      site.webhooks.close();
      await follower.close();
      await outbox.close();
      outbound.close();
    };
  }

  const site: FollowedSite = {
    place,
    webhooks: undefined as unknown as Webhooks,
    outbox: undefined as unknown as FollowedSite['outbox'],
    follower: undefined as unknown as LogFollower,
    warnings,
    async set(next) {
      const before = settings;
      settings = { ...settings, webhooks: next };
      for (const listener of listeners) await listener(settings, before);
    },
    async reopen(change) {
      await close();
      await place.reopen(change);
      await open();
    },
    async crashAfter(work) {
      const copy = `${folder}-before`;
      cpSync(folder, copy, { recursive: true });
      await work();
      await close();
      cpSync(copy, folder, { recursive: true, force: true });
      await place.reopen();
      await open();
    },
    async [Symbol.asyncDispose]() {
      await close();
      await place[Symbol.asyncDispose]();
    },
  };
  await open();
  return site;
}
