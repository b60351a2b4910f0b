import { runBreathing } from '../../lib/queues/slices.ts';
import { createVariants } from '../../media/variants/variants.ts';
import type { Oid } from '../../store/git/objects.ts';
import type { Redirect } from '../build.ts';
import type { MakeParts } from './make-parts.ts';
import { createFactWatch } from './pages/fact-watch.ts';
import { createFacts } from './pages/facts.ts';
import { parseNeed, putMedia } from './pages/media-output.ts';
import { createPageMaker } from './pages/page-maker.ts';
import { createRecorder } from './pages/recorder.ts';
import { renderPages } from './pages/render-pages.ts';
import { createRenderer } from './pages/renderer.ts';
import { createMayDiffer, OF_MEDIA } from './plan/changed-documents.ts';
import { type FormerAddresses, followAddresses } from './plan/former-addresses.ts';
import { createLists } from './plan/lists.ts';
import { planPages } from './plan/plan-pages.ts';
import { planRedirects } from './plan/redirects.ts';
import { createSiteMap } from './plan/site-map.ts';
import { putOtherFiles } from './put-other-files.ts';
import { beginSearch } from './put-search.ts';
import { createDocumentReader } from './read/document-reader.ts';
import { createLibrary, type Library } from './read/library.ts';
import { readDocuments } from './read/read-documents.ts';
import type { SiteDocument } from './read/site-document.ts';
import { createFactTable } from './write/fact-table.ts';
import type { BuildState, KnownPage } from './write/state.ts';

export interface MadeSite {
  redirects: readonly Redirect[];
  state: Omit<BuildState, 'key' | 'commit' | 'listHash'>;
}

/** A picture that cannot be made smaller changes the pages that show it, which may show others then. */
const MOST_ROUNDS = 3;

/** @throws PlanError */
export async function makeSite(parts: MakeParts): Promise<MadeSite> {
  const { order, calls, odb, commit, tree, theme, output, state, breathe } = parts;
  const { config } = order;
  const before: ReadonlyMap<string, SiteDocument> = new Map((state?.documents ?? []).map((doc) => [doc.file, doc]));
  const files = new Map(before);
  const reader = createDocumentReader(odb, { config, commit });
  const held = await readDocuments({
    odb,
    reader,
    config,
    commit,
    documents: files,
    from: state?.commit ?? null,
    report: (file, problem) => calls.log(`left out: ${file}: ${problem}\n`),
    breathe,
  });
  const shown = order.drafts ? held : held.filter(({ status }) => status === 'published');
  const site = createSiteMap(config, shown);
  const lists = createLists(site);
  const plan = planPages(config, site, lists);
  if (!config.build?.baseUrl)
    calls.log('build.baseUrl is not set: addresses in feeds, the site map and previews of links have no host\n');
  for (const note of plan.notes) calls.log(`${note}\n`);
  const former = await follow(parts, files);
  const redirects = former ? planRedirects(former, site, plan.hasPage) : [];

  const library = createLibrary(odb, tree, order.mediaFolder);
  const opaque = new Set(state?.opaque);
  const isOpaque = (slug: string): boolean => opaque.has(library.find(slug)?.sha256 ?? '');
  const recorder = createRecorder();
  const factValue = createFacts({
    site,
    mediaStamp: (slug) => `${library.stamp(slug)}${isOpaque(slug) ? ' opaque' : ''}`,
    themeStamp: theme.stamp,
    listStamp: lists.stamp,
  });
  const renderer = createRenderer({ order, reader, site, lists, theme, library, recorder, isOpaque });
  const media = {
    library,
    variants: createVariants(),
    cacheFolder: order.variantsFolder,
    output,
    signal: calls.signal,
  };
  const maker = createPageMaker({
    site,
    recorder,
    render: renderer.render,
    dataOf: ({ file, oid }) => reader.get(file, oid).data,
  });
  const warnings = new Set<string>();
  const facts = createFactWatch(state?.facts ?? createFactTable(), factValue);
  facts.lookAgain(createMayDiffer(before, files, held.length));
  const search = beginSearch({
    ...{ config, odb, reader, site, output, repository: order.repository },
    known: state?.search,
    knownDocuments: before,
  });
  try {
    let pages: readonly KnownPage[] = state?.pages ?? [];
    for (let round = 1; ; round++) {
      pages = await renderPages(
        {
          output,
          haveChanged: facts.haveChanged,
          numberOf: facts.table.numberOf,
          known: new Map(pages.map((page) => [page.file, page])),
          maker,
          warn: (text) => void warnings.add(text),
          onPage: (done, total) => calls.onProgress?.(`${done} of ${total} pages`),
          breathe,
          signal: calls.signal,
        },
        plan.pages,
      );
      facts.setNew();
      const found = await putMedia(
        media,
        pages.flatMap((page) => page.media),
      );
      if (found.size === 0 || round === MOST_ROUNDS) break;
      for (const sha256 of found) opaque.add(sha256);
      facts.lookAgain(OF_MEDIA);
    }
    reportWarnings([...warnings], calls.log);
    reportMissing(pages, library, calls.log);
    putOtherFiles(parts, { site, plan, redirects, renderer });
    return {
      redirects,
      state: {
        documents: [...files.values()],
        pages,
        facts: facts.table,
        former,
        opaque: [...opaque].sort(),
        search: await search.put(),
        ...(state?.read ? { read: state.read } : {}),
      },
    };
  } finally {
    await search.close();
  }
}

/** Undefined if the site has no redirects. */
async function follow(
  { order, calls, odb, commit, state, breathe }: MakeParts,
  files: ReadonlyMap<string, SiteDocument>,
): Promise<FormerAddresses | undefined> {
  if (order.config.build?.redirects === false) return undefined;
  const recordOf = (file: string, oid: Oid): SiteDocument | undefined => {
    const doc = files.get(file);
    return doc?.oid === oid ? doc : undefined;
  };
  const steps = followAddresses({ ...order, odb, head: commit, known: state?.former, recordOf });
  return runBreathing(steps, () => {
    calls.signal.throwIfAborted();
    return breathe();
  });
}

const MOST_WARNINGS = 100;

function reportWarnings(warnings: readonly string[], log: (text: string) => void): void {
  for (const warning of warnings.slice(0, MOST_WARNINGS)) log(`warning: ${warning}\n`);
  if (warnings.length > MOST_WARNINGS) log(`and ${warnings.length - MOST_WARNINGS} other pages with such warnings\n`);
}

const MOST_MISSING = 20;

function reportMissing(pages: readonly KnownPage[], library: Library, log: (text: string) => void): void {
  const missing = new Map<string, string>();
  for (const page of pages) {
    for (const need of page.media) {
      const { slug } = parseNeed(need);
      if (!missing.has(slug) && !library.find(slug)) missing.set(slug, page.file);
    }
  }
  for (const [slug, file] of [...missing].slice(0, MOST_MISSING))
    log(`"${file}" shows "/uploads/${slug}", which is not in the media library\n`);
  if (missing.size > MOST_MISSING)
    log(`and ${missing.size - MOST_MISSING} other media files that are not in the library\n`);
}
