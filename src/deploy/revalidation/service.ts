// A site's revalidation: which changes its frontend hears of, and what came of it. Sends nothing without an address and
// a secret, and nothing about what is not public.
import { hash, randomUUID } from 'node:crypto';
import type { SiteConfig } from '../../config/site-config.ts';
import type { Document } from '../../content/document.ts';
import type { ContentView } from '../../content/rows/view.ts';
import { invalid, ServiceError } from '../../lib/errors.ts';
import { createNews, type News } from '../../lib/queues/news.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Warn } from '../../lib/warn.ts';
import type { Outbound } from '../../outbound/request.ts';
import type { LogFollower } from '../../outbox/follow-log.ts';
import type { OpenedOutbox } from '../../outbox/open-outbox.ts';
import type { EntryStatus, NewEntry } from '../../outbox/outbox.ts';
import type { Settings, SiteSettings } from '../../settings/settings.ts';
import { createRevalidationDeliverer, type RevalidationTarget } from './deliver.ts';
import { revalidationsOf } from './from-log.ts';
import type { RevalidationMessage } from './message.ts';
import { createPublishedPaths, toDocument } from './published-paths.ts';
import { MAX_REVALIDATIONS, type Revalidation } from './shape.ts';

export interface RevalidationService {
  /** The last attempts, newest first. */
  list(): Promise<Revalidation[]>;
  /**
   * Sends every published document with pages again; durable once it resolves. @throws 400 that names what to set, 503 if
   * too much waits
   */
  resend(): Promise<{ documents: number }>;
  /** Calls the listener after each attempt; returns the function that stops it. */
  listen: News<RevalidationNews>['listen'];
  close(): void;
}

export interface RevalidationNews {
  id: string;
}

/** Deploys, as revalidation needs them. */
export interface RevalidationDeploys {
  /** Whether a deploy can take the place of a revalidation that failed. */
  hasTarget(): boolean;
  /** Begins one soon. `save`: a change was public and has no page to revalidate; only if the site deploys on save. */
  request(trigger: 'revalidation' | 'save'): Promise<void>;
}

export interface RevalidationParts {
  config: SiteConfig;
  view: Pick<ContentView, 'bySlug' | 'byId' | 'collection' | 'collections'>;
  settings: Pick<Settings, 'read' | 'subscribe'>;
  /** Address at which a media file of the site is served. */
  mediaUrl(slug: string): string;
  outbox: OpenedOutbox;
  follower: LogFollower;
  outbound: Pick<Outbound, 'request'>;
  deploys: RevalidationDeploys;
  version: string;
  now: () => Date;
  warn: Warn;
}

const TOPIC = 'revalidation';
/** There is one frontend. */
const TARGET = 'frontend';
const RESENT_AT_ONCE = 500;

export function createRevalidation(parts: RevalidationParts): RevalidationService {
  const { config, view, settings, outbox, follower, deploys, warn, now } = parts;
  const news = createNews<RevalidationNews>();
  const paths = createPublishedPaths(config, view);
  const findTarget = (): RevalidationTarget | undefined => toTarget(settings.read());

  function findPublished(id: string): Document | undefined {
    const row = view.byId(id);
    return row?.status === 'published' ? toDocument(row) : undefined;
  }

  outbox.register(
    TOPIC,
    createRevalidationDeliverer({
      ...{ outbound: parts.outbound, findTarget, findPublished, now },
      hasDeployTarget: deploys.hasTarget,
      requestDeploy: () => deploys.request('revalidation'),
      userAgent: `Colophon/${parts.version}`,
    }),
    (id) => news.report({ id }),
  );
  follower.listen({
    topic: TOPIC,
    targets: () => (findTarget() ? [TARGET] : []),
    async entriesOf(_, commit) {
      const { messages, hasUnaddressed } = await revalidationsOf(commit, { paths, mediaUrl: parts.mediaUrl });
      // Nothing that could be answered with 2xx is sent for it, so a deploy is due as if there were no revalidation.
      if (hasUnaddressed && settings.read().deployOnSave) await deploys.request('save');
      return messages.map(({ message, subject, againSince }) =>
        toEntry(deliveryId([commit.changeId, subject, ...(againSince ? [againSince] : [])]), subject, message),
      );
    },
  });
  const unsubscribe = settings.subscribe(async (after, before) => {
    await follower.refresh();
    if (toTarget(before) && !toTarget(after))
      outbox.drop(TOPIC, TARGET).catch((error) => warn('waiting revalidations could not be dropped', error));
  });

  function toEntry(id: string, key: string, message: RevalidationMessage): NewEntry {
    const { collection, slug, action } = message;
    const about = { collection, slug, action, url: toShownUrl(settings.read().revalidateUrl) };
    return { id, topic: TOPIC, key, target: TARGET, about, payload: message };
  }

  async function toRevalidation(entry: EntryStatus): Promise<Revalidation> {
    const found = await outbox.find(TOPIC, entry.id);
    const { collection = '', slug = '', action, url = '' } = entry.about;
    return {
      ...{ id: entry.id, at: (entry.lastAttemptAt ?? entry.createdAt).toISOString(), collection, slug, url },
      action: action as Revalidation['action'],
      paths: [...((found?.payload as RevalidationMessage | undefined)?.paths ?? [])],
      ...{ status: entry.status ?? null, ok: entry.state === 'delivered' },
      ...{ error: entry.error ?? null, durationMs: entry.durationMs ?? null },
    };
  }

  function* publishedEntries(): Generator<NewEntry | undefined> {
    for (const { rows } of view.collections()) {
      for (const row of rows.values()) {
        yield undefined;
        if (row.status !== 'published') continue;
        const document = toDocument(row);
        const own = paths.of(document);
        if (own.length === 0) continue;
        const { id, collection, slug } = document;
        yield toEntry(randomUUID(), id, { collection, slug, action: 'updated', paths: own, document: id });
      }
    }
  }

  return {
    async list() {
      const { items } = outbox.list({
        topic: TOPIC,
        isWanted: ({ attempts }) => attempts > 0,
        ...{ limit: MAX_REVALIDATIONS, offset: 0 },
      });
      const all = await Promise.all(items.map(toRevalidation));
      return all.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    },
    async resend() {
      const problems = missing(settings.read());
      if (problems.length > 0) throw invalid(problems);
      const breathe = createBreathe();
      let documents = 0;
      let batch: NewEntry[] = [];
      const add = async (): Promise<void> => {
        const full = await outbox.addFitting(batch, 1);
        if (full.length > 0)
          throw new ServiceError(
            'unavailable',
            `too much waits for the frontend: ${documents} documents are sent, the others are not; try again later`,
          );
        documents += batch.length;
        batch = [];
      };
      for (const entry of publishedEntries()) {
        if (!entry) await breathe();
        else if (batch.push(entry) >= RESENT_AT_ONCE) await add();
      }
      await add();
      return { documents };
    },
    listen: news.listen,
    close: unsubscribe,
  };
}

/** Undefined if nothing is sent. */
function toTarget({ revalidateUrl, revalidateSecret }: SiteSettings): RevalidationTarget | undefined {
  return revalidateUrl === '' || revalidateSecret === '' ? undefined : { url: revalidateUrl, secret: revalidateSecret };
}

function missing({ revalidateUrl, revalidateSecret }: SiteSettings): { path: string; message: string }[] {
  const problems: { path: string; message: string }[] = [];
  if (revalidateUrl === '') problems.push({ path: 'revalidateUrl', message: 'is not set: nothing is revalidated' });
  if (revalidateSecret === '')
    problems.push({
      path: 'revalidateSecret',
      message: 'is not set: without it nothing can be signed, and nothing is sent',
    });
  return problems;
}

/** Without a query, which may have a secret. */
function toShownUrl(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

/** Derived from the change, so that the outbox and the frontend recognise repeats. */
function deliveryId(of: readonly string[]): string {
  return `rev_${hash('sha256', of.join('\n')).slice(0, 32)}`;
}
