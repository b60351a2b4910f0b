// The link check: checks the links of all published documents, those to the site itself against its index, external
// ones by requesting them. A run is limited in time, requests and memory; it reads in slices and in a thread, so that
// it slows nothing down.
import type { SiteConfig } from '../config/site-config.ts';
import type { ContentView } from '../content/rows/view.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { ServiceError } from '../lib/errors.ts';
import { createNews, type News } from '../lib/queues/news.ts';
import type { Warn } from '../lib/warn.ts';
import type { Outbound } from '../outbound/request.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import { askForDue, type LinkLimits } from './ask-due.ts';
import { createExtract } from './extract.ts';
import { type GatheredLinks, gatherLinks, MAX_BROKEN } from './gather.ts';
import { createPages } from './pages.ts';
import { type BrokenLink, type KnownLink, KnownLinks, type LinkProgress, LinkReport } from './report.ts';

export interface LinkCheck {
  /** Joins a run that is under way. @throws ServiceError `unavailable` if the service ends */
  run(): Promise<LinkReport>;
  isRunning(): boolean;
  /** How far the run is; undefined if none is under way. */
  progress(): LinkProgress | undefined;
  /** The report of the last completed run. */
  report(): Promise<LinkReport | undefined>;
  /** Calls the listener when a run begins and when it has ended; returns the function that stops it. */
  listen: News<LinkCheckNews>['listen'];
  close(): Promise<void>;
}

export interface LinkCheckNews {
  job: 'link-check';
  state: 'running' | 'done' | 'failed';
}

export interface LinkCheckParts {
  config: Pick<SiteConfig, 'collections' | 'blocks' | 'locales' | 'forms'>;
  collections: readonly CollectionSchema[];
  view: Pick<ContentView, 'bySlug' | 'byId' | 'collections'>;
  hasMedia(slug: string): boolean;
  /** Addresses under which the site itself is published; empty ones do not count. */
  ownUrls(): readonly string[];
  outbound: Outbound;
  /** The folder `_data`. */
  data: DataFolder;
  userAgent: string;
  now(): Date;
  warn: Warn;
  limits?: Partial<LinkLimits>;
}

const LIMITS: LinkLimits = {
  maxAsked: 2000,
  atOnce: 8,
  hostPauseMs: 1000,
  timeoutMs: 10_000,
  maxRunMs: 15 * 60_000,
};
const REPORT_FILE = 'link-check.json';
const KNOWN_FILE = 'link-check-known.json';

type OrEnding = <R>(work: Promise<R>) => Promise<R>;

export function createLinkCheck(parts: LinkCheckParts): LinkCheck {
  const { config, collections, view, outbound, data, userAgent, now, warn } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const closing = new AbortController();
  const pages = createPages({
    view,
    collections,
    locales: config.locales,
    hasMedia: parts.hasMedia,
    hasForm: (name) => config.forms.some((form) => form.name === name),
  });
  const news = createNews<LinkCheckNews>();
  const say = (state: LinkCheckNews['state']): void => news.report({ job: 'link-check', state });
  let running: Promise<LinkReport> | undefined;
  let progress: LinkProgress | undefined;

  const ending = (): ServiceError => new ServiceError('unavailable', 'the service is shutting down');

  function refuseEnding(): void {
    if (closing.signal.aborted) throw ending();
  }

  /** Returns a function that waits for work of a run, but no longer than until the service ends. */
  function untilEnding(): OrEnding {
    const ended = new Promise<never>((_, reject) => {
      closing.signal.addEventListener('abort', () => reject(ending()), { once: true });
    });
    ended.catch(() => undefined); // the races below reject
    return (work) => Promise.race([work, ended]);
  }

  async function check(): Promise<LinkReport> {
    const startedAt = now().toISOString();
    const begun = { startedAt, documents: 0, links: 0, asked: 0, due: null };
    progress = begun;
    const orEnding = untilEnding();
    const extract = createExtract({ config });
    let gathered: GatheredLinks;
    try {
      gathered = await gatherLinks({
        ...{ view, pages, ownUrls: parts.ownUrls, extract, orEnding, refuseEnding },
        onRead: ({ documents, links }) => (progress = { ...begun, documents, links }),
      });
    } finally {
      await extract.close();
    }
    const { external } = gathered;
    const known = new Map(Object.entries((await readFile(KNOWN_FILE, KnownLinks)) ?? {}));
    // Forgets links that no document has any more.
    for (const url of known.keys()) if (!external.has(url)) known.delete(url);
    const asked = await askForDue(external.keys(), known, {
      ...{ outbound, userAgent, limits, now, closing: closing.signal, orEnding },
      onAsked: (asked, due) => (progress = { ...(progress ?? begun), asked, due }),
    });
    refuseEnding();
    const report = toReport(gathered, known, { startedAt, finishedAt: now().toISOString(), asked });
    await data.write(KNOWN_FILE, JSON.stringify(Object.fromEntries(known)));
    await data.write(REPORT_FILE, JSON.stringify(report));
    return report;
  }

  async function runOnce(): Promise<LinkReport> {
    let isDone = false;
    try {
      const report = await check();
      isDone = true;
      return report;
    } catch (error) {
      if (!closing.signal.aborted) warn('the link check failed', error);
      throw error;
    } finally {
      running = progress = undefined;
      say(isDone ? 'done' : 'failed');
    }
  }

  /** Returns undefined if the file is missing or unreadable: its content is no reason to keep a site closed. */
  async function readFile<S extends typeof LinkReport | typeof KnownLinks>(
    name: string,
    schema: S,
  ): Promise<ReturnType<S['parse']> | undefined> {
    const bytes = await data.read(name);
    if (!bytes) return undefined;
    try {
      return schema.parse(JSON.parse(bytes.toString('utf8'))) as ReturnType<S['parse']>;
    } catch (error) {
      warn(`"_data/${name}" cannot be read; the next link check replaces it`, error);
      return undefined;
    }
  }

  return {
    async run() {
      refuseEnding();
      if (running) return running;
      running = runOnce();
      say('running');
      return running;
    },
    isRunning: () => running !== undefined,
    progress: () => progress,
    report: () => readFile(REPORT_FILE, LinkReport),
    listen: news.listen,
    async close() {
      closing.abort();
      await running?.catch(() => undefined); // the caller of `run` gets the error
    },
  };
}

function toReport(
  { documents, unread, links, paths, broken, brokenMore, external, more }: GatheredLinks,
  known: ReadonlyMap<string, KnownLink>,
  run: Pick<LinkReport, 'startedAt' | 'finishedAt' | 'asked'>,
): LinkReport {
  const internal = [...broken].map(([url, { kind, error, first, count }]): BrokenLink => {
    return { url, kind, status: null, error, documents: first, places: count };
  });
  const others = [...external].flatMap(([url, { first, count }]): BrokenLink[] => {
    const link = known.get(url);
    if (link?.kind !== 'broken') return [];
    const { status = null, error = 'unreachable' } = link;
    return [{ url, kind: 'external', status, error, documents: first, places: count }];
  });
  const skipped = [...external.keys()].filter((url) => !known.has(url)).length + more;
  return {
    startedAt: run.startedAt,
    finishedAt: run.finishedAt,
    documents,
    unread,
    links,
    checked: paths.size + known.size,
    asked: run.asked,
    skipped,
    unsure: [...known.values()].filter(({ kind }) => kind === 'unsure').length,
    isComplete: skipped === 0 && unread === 0,
    broken: [...internal, ...others].slice(0, MAX_BROKEN),
    brokenTotal: internal.length + brokenMore + others.length,
  };
}
