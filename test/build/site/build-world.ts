// A site in a temporary folder, built as often as a test likes.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { BuiltSite } from '../../../src/build/build.ts';
import { buildWith } from '../../../src/build/site/build-site.ts';
import type { SiteTheme } from '../../../src/build/site/pages/site-theme.ts';
import type { SiteBuildOrder } from '../../../src/build/site/site-build.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { plainTheme } from './plain-theme.ts';
import { COLOPHON, createSmallRepository, type SmallRepository } from './small-repository.ts';

export interface TestDocument {
  id?: string;
  collection?: string;
  slug: string;
  status?: string;
  locale?: string;
  data?: Record<string, unknown>;
  [key: string]: unknown;
}

export interface BuildWorld extends AsyncDisposable {
  folder: string;
  repository: SmallRepository;
  log: string[];
  /** Puts documents into the next commit. */
  put(...documents: TestDocument[]): void;
  /** Commits, as this service unless the message has no trailers. */
  commit(message?: string): string;
  order(change?: Partial<SiteBuildOrder>): SiteBuildOrder;
  build(change?: Partial<SiteBuildOrder>, theme?: SiteTheme): Promise<BuiltSite>;
  /** The text of a file of the output, if it exists. */
  read(file: string, outDir?: string): string | undefined;
}

export const DAY = '2026-01-02T03:04:05.000Z';

export function idOf(slug: string): string {
  const letters = Buffer.from(slug).toString('hex').toUpperCase();
  return `A${letters}`.padEnd(12, '0').slice(-12).replace(/^./, 'A');
}

export function toFileText({ collection = 'posts', slug, ...rest }: TestDocument): string {
  const {
    id = idOf(`${collection}${slug}`),
    status = 'published',
    createdAt = DAY,
    updatedAt = DAY,
    data,
    ...more
  } = rest;
  const doc = { id, slug, collection, status, ...more, createdAt, updatedAt, data: { title: slug, ...data } };
  return `${JSON.stringify(doc, null, 2)}\n`;
}

export function makeBuildWorld(config: SiteConfigInput): BuildWorld {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-build-'));
  const repository = createSmallRepository(path.join(folder, 'content.git'));
  const parsed = parseConfig(config);
  const log: string[] = [];
  const own = plainTheme({ 'layouts/default': 'default' });
  const toOrder = (change: Partial<SiteBuildOrder> = {}): SiteBuildOrder => ({
    siteId: 'default',
    config: parsed,
    repository: repository.folder,
    committer: COLOPHON,
    mediaFolder: path.join(folder, 'media'),
    themeFolder: undefined,
    stateFolder: path.join(folder, 'state'),
    variantsFolder: path.join(folder, 'variants'),
    outDir: path.join(folder, 'dist'),
    drafts: false,
    isPreview: false,
    isFull: false,
    writesRedirects: false,
    ...change,
  });
  return {
    folder,
    repository,
    log,
    put(...documents) {
      for (const doc of documents) {
        repository.files.set(`content/${doc.collection ?? 'posts'}/${doc.slug}.json`, toFileText(doc));
      }
    },
    commit: (message = 'By hand') => repository.commit(message),
    order: toOrder,
    build: (change = {}, theme = own) =>
      buildWith(toOrder(change), { log: (text) => void log.push(text), signal: new AbortController().signal }, theme),
    read(file, outDir = path.join(folder, 'dist')) {
      const found = path.join(outDir, file);
      return fs.existsSync(found) ? fs.readFileSync(found, 'utf8') : undefined;
    },
    async [Symbol.asyncDispose]() {
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}
