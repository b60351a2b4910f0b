// Reads the links of all published documents, a batch at a time in a thread, and sorts them: links to the site itself
// are checked against its index, external ones are collected to be requested. Limited in memory.
import { setImmediate as turn } from 'node:timers/promises';
import type { ContentView } from '../content/rows/view.ts';
import type { DocumentLinks, Extract } from './extract.ts';
import type { PageProblem, Pages } from './pages.ts';
import { addPlace, type LinkPlaces } from './places.ts';
import type { BrokenLink } from './report.ts';
import { toTarget } from './target.ts';

/** Each is a text in memory and in the file of known results. */
const MAX_EXTERNAL = 10_000;
const MAX_PATHS = 200_000;
export const MAX_BROKEN = 2000;
const BATCH_DOCUMENTS = 100;
const BATCH_BYTES = 64 * 1024;
/** After so many links other work gets its turn. */
const SLICE_LINKS = 50;
const SLICE_MS = 2;

/** The links of all documents, sorted. */
export interface GatheredLinks {
  documents: number;
  unread: number;
  links: number;
  paths: Map<string, PageProblem | undefined>;
  /** Links that lead nowhere, by their text. */
  broken: Map<string, LinkPlaces & { error: string; kind: BrokenLink['kind'] }>;
  brokenMore: number;
  external: Map<string, LinkPlaces>;
  /** Links beyond the limit for one document or for external addresses. */
  more: number;
}

export interface GatherParts {
  view: Pick<ContentView, 'byId' | 'collections'>;
  pages: Pages;
  /** Addresses under which the site itself is published; empty ones do not count. */
  ownUrls(): readonly string[];
  extract: Extract;
  /** Resolves with the work; rejects if the service ends before. */
  orEnding<R>(work: Promise<R>): Promise<R>;
  /** Throws if the service ends. */
  refuseEnding(): void;
  onRead(soFar: Pick<GatheredLinks, 'documents' | 'links'>): void;
}

export async function gatherLinks(parts: GatherParts): Promise<GatheredLinks> {
  const gathered: GatheredLinks = {
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
  for await (const batch of batches(parts)) {
    const { found, unread } = await parts.orEnding(parts.extract.read(batch));
    gathered.documents += batch.length;
    gathered.unread += unread;
    for (const document of found) await sort(parts.pages, document, own, gathered);
    parts.onRead(gathered);
  }
  return gathered;
}

/** Yields the bodies of published documents in batches; other work gets its turn in between. */
async function* batches({ view, refuseEnding }: GatherParts): AsyncGenerator<Buffer[]> {
  let batch: Buffer[] = [];
  let sizeBytes = 0;
  let slice = performance.now();
  for (const collection of view.collections()) {
    // A copy, because documents come and go meanwhile.
    for (const id of [...collection.rows.ids()]) {
      if (performance.now() - slice > SLICE_MS) {
        await turn();
        refuseEnding();
        slice = performance.now();
      }
      const row = view.byId(id);
      if (row?.status !== 'published') continue;
      batch.push(row.body);
      sizeBytes += row.body.length;
      if (batch.length < BATCH_DOCUMENTS && sizeBytes < BATCH_BYTES) continue;
      yield batch;
      batch = [];
      sizeBytes = 0;
      slice = performance.now();
    }
  }
  if (batch.length > 0) yield batch;
}

async function sort(
  pages: Pages,
  document: DocumentLinks,
  own: ReadonlySet<string>,
  gathered: GatheredLinks,
): Promise<void> {
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
    if (++gathered.links % SLICE_LINKS === 0) await turn();
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

function originsOf(urls: readonly string[]): Set<string> {
  return new Set(urls.flatMap((url) => URL.parse(url)?.origin ?? []));
}
