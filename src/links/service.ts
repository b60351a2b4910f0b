// The link check: the links of everything that is published, the site's own against its index, others by asking for them.
// Bounded in time, in requests and in memory; it reads in slices and in a thread, so that nobody notices a run.
import type { SiteConfig } from '../config/site-config.ts';
import type { ContentView } from '../content/rows/view.ts';
import type { DataFolder } from '../data/data-folder.ts';
import { ServiceError } from '../lib/errors.ts';
import { createBreathe, nextTurn } from '../lib/queues/slices.ts';
import type { Warn } from '../lib/warn.ts';
import type { Outbound } from '../outbound/request.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import { type Answered, createAsk } from './ask.ts';
import { createExtract, type DocumentLinks, type Extract } from './extract.ts';
import { createPages, type PageProblem } from './pages.ts';
import { addPlace, type Places } from './places.ts';
import { type BrokenLink, type KnownLink, KnownLinks, LinkReport } from './report.ts';
import { toTarget } from './target.ts';

export interface LinkCheck {
  /** Whoever asks while it runs gets the run that is under way. @throws ServiceError `unavailable` where the service ends */
  run(): Promise<LinkReport>;
  isRunning(): boolean;
  /** Of the last run that came to its end. */
  report(): Promise<LinkReport | undefined>;
  close(): Promise<void>;
}

export interface LinkLimits {
  /** External addresses asked for in a run; the others' turn comes in the next ones. */
  maxAsked: number;
  atOnce: number;
  hostPauseMs: number;
  timeoutMs: number;
  /** After which nothing more is asked for. */
  maxRunMs: number;
}

export interface LinkCheckParts {
  config: Pick<SiteConfig, 'collections' | 'blocks' | 'locales' | 'forms'>;
  collections: readonly CollectionSchema[];
  view: Pick<ContentView, 'bySlug' | 'byId' | 'collections'>;
  hasMedia(slug: string): boolean;
  /** Addresses under which the site itself is published; empty ones do not count. */
  ownUrls(): readonly string[];
  outbound: Outbound;
  /** `_data`. */
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
/** What was there a day ago still is. */
const FRESH_MS = 24 * 3600_000;
/** Each is a text in memory and in the file of what is known. */
const MAX_EXTERNAL = 10_000;
const MAX_PATHS = 200_000;
const MAX_BROKEN = 2000;
const BATCH_DOCUMENTS = 100;
const BATCH_BYTES = 64 * 1024;
/** Links that are sorted before others get their turn. */
const SLICE_LINKS = 50;
const SLICE_MS = 2;

/** What the documents have. */
interface Gathered {
  documents: number;
  unread: number;
  links: number;
  paths: Map<string, PageProblem | undefined>;
  /** Links that cannot lead anywhere, by how they are written. */
  broken: Map<string, Places & { error: string; kind: BrokenLink['kind'] }>;
  brokenMore: number;
  external: Map<string, Places>;
  /** Links that were too many, in one document or altogether. */
  more: number;
}

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
  let running: Promise<LinkReport> | undefined;

  const ending = (): ServiceError => new ServiceError('unavailable', 'the service is ending');

  function refuseEnding(): void {
    if (closing.signal.aborted) throw ending();
  }

  async function gather(extract: Extract, orEnding: OrEnding): Promise<Gathered> {
    const gathered: Gathered = {
      documents: 0,
      unread: 0,
      links: 0,
      paths: new Map(),
      broken: new Map(),
      brokenMore: 0,
      external: new Map(),
      more: 0,
    };
    const own = originsOf(parts.ownUrls());
    for await (const batch of batches()) {
      const { found, unread } = await orEnding(extract.read(batch));
      gathered.documents += batch.length;
      gathered.unread += unread;
      for (const document of found) await sort(document, own, gathered);
    }
    return gathered;
  }

  /** Bodies of what is published, some at a time; others get their turn in between. */
  async function* batches(): AsyncGenerator<Buffer[]> {
    let batch: Buffer[] = [];
    let sizeBytes = 0;
    let breathe = createBreathe(SLICE_MS);
    for (const collection of view.collections()) {
      // Documents come and go while they are read.
      for (const id of [...collection.rows.ids()]) {
        const pause = breathe();
        if (pause) {
          await pause;
          refuseEnding();
        }
        const row = view.byId(id);
        if (row?.status !== 'published') continue;
        batch.push(row.body);
        sizeBytes += row.body.length;
        if (batch.length < BATCH_DOCUMENTS && sizeBytes < BATCH_BYTES) continue;
        yield batch;
        batch = [];
        sizeBytes = 0;
        breathe = createBreathe(SLICE_MS);
      }
    }
    if (batch.length > 0) yield batch;
  }

  async function sort(document: DocumentLinks, own: ReadonlySet<string>, gathered: Gathered): Promise<void> {
    const from = pages.pathOf(document);
    const breaks = (link: DocumentLinks['links'][number], kind: BrokenLink['kind'], error: string): void => {
      const key = link.url.trim();
      if (!addPlace(gathered.broken, key, document, link, MAX_BROKEN)) gathered.brokenMore++;
      else Object.assign(gathered.broken.get(key)!, { kind, error });
    };
    gathered.links += document.more;
    gathered.more += document.more;
    for (const link of document.links) {
      const target = toTarget(link.url, from, own);
      if (++gathered.links % SLICE_LINKS === 0) await nextTurn();
      if (target.kind === 'broken') breaks(link, 'external', target.error);
      if (target.kind === 'external' && !addPlace(gathered.external, target.url, document, link, MAX_EXTERNAL)) {
        gathered.more++;
      }
      if (target.kind !== 'internal') continue;
      const { path } = target;
      const problem = gathered.paths.has(path) ? gathered.paths.get(path) : pages.problemOf(path);
      if (gathered.paths.size < MAX_PATHS) gathered.paths.set(path, problem);
      if (problem) breaks(link, 'internal', problem);
    }
  }

  /** Asks for those of which least is known; `known` learns what comes of it. Gives how many were asked for. */
  async function askFor(links: Iterable<string>, known: Map<string, KnownLink>, orEnding: OrEnding): Promise<number> {
    const [freshFrom, freshTo] = [new Date(now().getTime() - FRESH_MS).toISOString(), now().toISOString()];
    // What a clock that was ahead has dated is not fresh until then.
    const isFresh = (link: KnownLink | undefined): boolean =>
      link !== undefined && link.kind !== 'broken' && link.at > freshFrom && link.at <= freshTo;
    const at = (url: string): string => known.get(url)?.at ?? '';
    const due = [...links]
      .filter((url) => !isFresh(known.get(url)))
      .sort((a, b) => (at(a) < at(b) ? -1 : Number(at(a) > at(b))))
      .slice(0, limits.maxAsked);
    const over = new AbortController();
    const signal = AbortSignal.any([closing.signal, over.signal]);
    const timer = setTimeout(() => over.abort(), limits.maxRunMs);
    const ask = createAsk({ outbound, userAgent, signal, ...limits });
    let asked = 0;
    try {
      const all = Promise.all(
        due.map(async (url) => {
          const answered = await ask(url).catch((error) => {
            if (!signal.aborted) throw error;
          });
          // What was cut off by the end says nothing of the link.
          if (!answered || closing.signal.aborted) return;
          asked++;
          known.set(url, toKnown(answered, now()));
        }),
      );
      await orEnding(all);
    } finally {
      clearTimeout(timer);
      // Pauses that nobody waits for any more.
      over.abort();
    }
    return asked;
  }

  /** Of a run: what it waits for, or the end of the service, which waits for no answer from afar. */
  function untilEnding(): OrEnding {
    const ended = new Promise<never>((_, reject) => {
      closing.signal.addEventListener('abort', () => reject(ending()), { once: true });
    });
    ended.catch(() => undefined); // whoever races it is told
    return (work) => Promise.race([work, ended]);
  }

  async function check(): Promise<LinkReport> {
    const startedAt = now().toISOString();
    const orEnding = untilEnding();
    const extract = createExtract({ config });
    let gathered: Gathered;
    try {
      gathered = await gather(extract, orEnding);
    } finally {
      await extract.close();
    }
    const { external } = gathered;
    const known = new Map(Object.entries((await readFile(KNOWN_FILE, KnownLinks)) ?? {}));
    // A link that was taken out of the last document is forgotten.
    for (const url of known.keys()) if (!external.has(url)) known.delete(url);
    const asked = await askFor(external.keys(), known, orEnding);
    refuseEnding();
    const report = toReport(gathered, known, { startedAt, finishedAt: now().toISOString(), asked });
    await data.write(KNOWN_FILE, JSON.stringify(Object.fromEntries(known)));
    await data.write(REPORT_FILE, JSON.stringify(report));
    return report;
  }

  /** Undefined where it is not there, or cannot be read: nothing in it is worth a site that does not open. */
  async function readFile<S extends typeof LinkReport | typeof KnownLinks>(
    name: string,
    schema: S,
  ): Promise<ReturnType<S['parse']> | undefined> {
    const bytes = await data.read(name);
    if (!bytes) return undefined;
    try {
      return schema.parse(JSON.parse(bytes.toString('utf8'))) as ReturnType<S['parse']>;
    } catch (error) {
      warn(`_data/${name} cannot be read; the next link check writes it anew`, error);
      return undefined;
    }
  }

  return {
    async run() {
      refuseEnding();
      running ??= check()
        .catch((error) => {
          if (!closing.signal.aborted) warn('the link check failed', error);
          throw error;
        })
        .finally(() => (running = undefined));
      return running;
    },
    isRunning: () => running !== undefined,
    report: () => readFile(REPORT_FILE, LinkReport),
    async close() {
      closing.abort();
      await running?.catch(() => undefined); // whoever started it has it
    },
  };
}

function originsOf(urls: readonly string[]): Set<string> {
  return new Set(urls.flatMap((url) => URL.parse(url)?.origin ?? []));
}

function toKnown(answered: Answered, at: Date): KnownLink {
  const { kind, status } = answered;
  return {
    at: at.toISOString(),
    kind,
    ...(status === undefined ? {} : { status }),
    ...(answered.kind === 'broken' ? { error: answered.error } : {}),
  };
}

function toReport(
  { documents, unread, links, paths, broken, brokenMore, external, more }: Gathered,
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
