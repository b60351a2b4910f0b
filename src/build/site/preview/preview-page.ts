// One page of a site as readers would see it if a document were published as it is now: the pages around it are those of
// the newest commit. Documents, addresses and theme are kept between two calls; a call reads what changed meanwhile.
import fs from 'node:fs';
import path from 'node:path';
import { createBreathe } from '../../../lib/queues/slices.ts';
import { nodeDisk } from '../../../store/disk/disk.ts';
import { type Oid, parseCommit } from '../../../store/git/objects.ts';
import { createOdb, type Odb } from '../../../store/repository/odb.ts';
import { createBranch } from '../../../store/repository/refs.ts';
import { ThemeError } from '../../theme/theme-error.ts';
import { openSiteTheme } from '../open-site-theme.ts';
import { decodePath } from '../pages/media-names.ts';
import { createPageMaker } from '../pages/page-maker.ts';
import { createRecorder } from '../pages/recorder.ts';
import { createRenderer } from '../pages/renderer.ts';
import type { SiteTheme } from '../pages/site-theme.ts';
import { createLists, type Lists } from '../plan/lists.ts';
import { PlanError } from '../plan/plan-error.ts';
import { planPages, type SitePlan } from '../plan/plan-pages.ts';
import { createSiteMap, type SiteMap } from '../plan/site-map.ts';
import { createDocumentReader, type DocumentReader } from '../read/document-reader.ts';
import { createLibrary, type Library } from '../read/library.ts';
import { readDocuments } from '../read/read-documents.ts';
import { createToSiteDocument, type SiteDocument } from '../read/site-document.ts';
import type { PreviewOrder, PreviewPage, PreviewRequest } from './preview-messages.ts';

export interface PreviewPages {
  /** `onBegun` is called once the site around the page is read. */
  make(request: PreviewRequest, onBegun: () => void): Promise<PreviewPage>;
  /** A published file of the theme. */
  file(path: string): Promise<Uint8Array | undefined>;
  close(): void;
}

/** What is known of one commit. */
interface Known {
  commit: Oid;
  odb: Odb;
  reader: DocumentReader;
  library: Library;
  files: Map<string, SiteDocument>;
  /** Those that readers see. */
  published: SiteDocument[];
}

/** The site with one document as it is to be seen. */
interface ShownSite {
  key: string;
  site: SiteMap;
  lists: Lists;
  plan: SitePlan;
}

/** Stands for the blob of what is not stored. */
const UNSTORED = 'unstored';
const ADDRESS = /\b(src|href|poster)="\/([^"/][^"]*)"/g;
/** As styles name fonts and pictures, in a file of styles or in a page. */
const STYLE_ADDRESS = /(\burl\(\s*["']?|@import\s+["'])\/([^"'()\s/][^"'()\s]*)/gi;

export function openPreviewPages(order: PreviewOrder): PreviewPages {
  const { config } = order;
  const toSiteDocument = createToSiteDocument(config);
  let known: Known | undefined;
  let around: ShownSite | undefined;
  let theme: { stamp: string; opened: Promise<SiteTheme> } | undefined;

  /** Opened again whenever one of its files is written. */
  function openTheme(): Promise<SiteTheme> {
    const { themeFolder } = order;
    const stamp = themeFolder === undefined ? '' : stampOf(themeFolder);
    if (theme?.stamp !== stamp) theme = { stamp, opened: openSiteTheme({ config, themeFolder }) };
    return theme.opened;
  }

  async function read(): Promise<Known> {
    const commit = createBranch(nodeDisk, order.repository).read();
    if (known && commit === known.commit) return known;
    const before = known;
    known = undefined;
    around = undefined;
    before?.odb.close();
    const odb = createOdb(nodeDisk, order.repository);
    try {
      if (commit === null) throw new PlanError(['the site has no content yet']);
      const reader = createDocumentReader(odb, { config, commit });
      const files = before?.files ?? new Map<string, SiteDocument>();
      const report = (): void => undefined;
      const from = before?.commit ?? null;
      const breathe = createBreathe();
      const held = await readDocuments({ odb, reader, config, commit, documents: files, from, report, breathe });
      const { tree } = parseCommit(odb.get(commit, 'commit'));
      const library = createLibrary(odb, tree, order.mediaFolder);
      const published = held.filter(({ status }) => status === 'published');
      known = { commit, odb, reader, library, files, published };
      return known;
    } catch (error) {
      odb.close();
      throw error;
    }
  }

  /** Everything around a text stays as it is while only the text changes. */
  function surround({ commit, published }: Known, shown: SiteDocument): ShownSite {
    const key = `${commit} ${JSON.stringify(shown)}`;
    if (around?.key === key) return around;
    const others = published.filter(({ id }) => id !== shown.id);
    const site = createSiteMap(config, [...others, shown]);
    const lists = createLists(site);
    around = { key, site, lists, plan: planPages(config, site, lists) };
    return around;
  }

  async function make({ document, base, mediaQuery }: PreviewRequest, onBegun: () => void): Promise<PreviewPage> {
    const opened = await openTheme();
    const now = await read();
    onBegun();
    const file = `content/${document.collection}/${document.slug}`;
    const shown = { ...toSiteDocument(file, UNSTORED, document), status: 'published' as const };
    const { site, lists, plan } = surround(now, shown);
    const page = plan.pages.find(({ id }) => id === document.id);
    if (!page) return { problem: whyNone(site, document.id) };
    const recorder = createRecorder();
    const reader: DocumentReader = {
      ...now.reader,
      get: (stored, oid) => (oid === UNSTORED ? document : now.reader.get(stored, oid)),
    };
    const { render } = createRenderer({
      ...{ order: { ...order, isPreview: true }, reader, site, lists, theme: opened, library: now.library },
      recorder,
      // Smaller pictures are files of a build.
      isOpaque: () => true,
    });
    const made = createPageMaker({ site, recorder, render, dataOf: () => document.data }).make(page);
    if ('problem' in made) return made;
    const names = new Set(opened.files.map(({ file: name }) => name));
    return { html: toPreviewHtml(made.bytes.toString('utf8'), { names, base, mediaQuery }) };
  }

  return {
    async make(request, onBegun) {
      try {
        return await make(request, onBegun);
      } catch (error) {
        if (error instanceof PlanError) return { problem: error.problems.join('; ') };
        if (error instanceof ThemeError) return { problem: error.message };
        throw error;
      }
    },
    async file(name) {
      const { files } = await openTheme();
      const bytes = files.find(({ file }) => file === name)?.bytes;
      if (!bytes || path.extname(name) !== '.css') return bytes;
      const names = new Set(files.map(({ file }) => file));
      // A file of styles does not know the token: from it, its neighbours are as far up as it is deep.
      const up = '../'.repeat(name.split('/').length - 1) || './';
      return Buffer.from(toPreviewStyles(Buffer.from(bytes).toString('utf8'), names, up));
    },
    close: () => known?.odb.close(),
  };
}

/** Differs if a file comes, goes or is written. */
function stampOf(folder: string): string {
  const names = fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return names
    .map((name) => {
      const stat = fs.statSync(path.join(folder, name), { throwIfNoEntry: false });
      return `${name} ${stat?.mtimeMs} ${stat?.size}`;
    })
    .join('\n');
}

function whyNone(site: SiteMap, id: string): string {
  const reason = site.withoutPage.find((one) => one.id === id)?.reason;
  return reason === undefined
    ? 'Documents of this collection have no page of their own in the site.'
    : `The document has no page: ${reason}.`;
}

function isFileOf(names: ReadonlySet<string>, address: string): boolean {
  const name = decodePath(address.replace(/[?#].*$/, ''));
  return name !== undefined && names.has(name);
}

function toPreviewStyles(text: string, names: ReadonlySet<string>, base: string): string {
  return text.replaceAll(STYLE_ADDRESS, (whole, before: string, address: string) =>
    isFileOf(names, address) ? `${before}${base}${address}` : whole,
  );
}

/** The theme's files are below the preview's own address, and media may need the name of their site. */
function toPreviewHtml(
  html: string,
  { names, base, mediaQuery }: { names: ReadonlySet<string> } & Pick<PreviewRequest, 'base' | 'mediaQuery'>,
): string {
  return toPreviewStyles(html, names, base).replaceAll(ADDRESS, (whole, attribute: string, address: string) => {
    if (isFileOf(names, address)) return `${attribute}="${base}${address}"`;
    const isMedia = mediaQuery !== '' && attribute !== 'href' && address.startsWith('uploads/');
    return isMedia ? `${attribute}="/${address}${mediaQuery}"` : whole;
  });
}
