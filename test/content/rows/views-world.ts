// One site in three states that must show the same: as it keeps running, as it starts from its saved view, and as it
// starts from its repository alone. External commits are made with git.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Cms, createCms } from '../../../src/cms.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { compileSite } from '../../../src/schema/compile.ts';
import type { Site } from '../../../src/sites/site.ts';
import { commitBeside, type Entry } from '../../support/external.ts';
import { git, untilTakenIn } from '../../support/store-world.ts';
import { CONFIG } from '../../support/world.ts';

export interface ViewsWorld extends AsyncDisposable {
  readonly cms: Cms;
  readonly repository: string;
  /** Makes an external commit of these files; resolves once it is loaded. */
  beside(files: Record<string, Entry | null>): Promise<string>;
  settle(): Promise<void>;
  /** What is shown now. */
  picture(): Promise<Picture>;
  /** What a site made from the same repository alone shows, and what `colophon verify` would compare. */
  rebuilt(look?: (site: Site) => Promise<void>): Promise<Picture>;
  /** `forget`: without the saved views and log index. */
  restart(config?: SiteConfigInput, how?: { forget?: boolean }): Promise<void>;
}

/** Later than what external commits are dated, whose times readers get. */
const NOW = '2026-01-04T03:04:05.678Z';

export type Picture = Record<string, unknown>;

export async function makeViewsWorld(first: SiteConfigInput = CONFIG): Promise<ViewsWorld> {
  const root = mkdtempSync(join(tmpdir(), 'colophon-views-'));
  let config = first;
  let copies = 0;
  const dataDir = join(root, 'data');
  const open = (folder: string): Promise<Cms> => createCms(config, { dataDir: folder, now: () => new Date(NOW) });
  let cms = await open(dataDir);
  const repositoryIn = (folder: string): string => join(folder, 'sites', 'default', 'content.git');

  return {
    get cms() {
      return cms;
    },
    repository: repositoryIn(dataDir),
    async beside(files) {
      await cms.site.store.log.flush();
      const parents = cms.site.store.log.status().head ? undefined : [];
      const commit = commitBeside(repositoryIn(dataDir), files, parents, 'refs/heads/main');
      await untilTakenIn(cms.site.store);
      return commit;
    },
    settle: () => untilTakenIn(cms.site.store),
    picture: () => pictureOf(cms, config),
    async rebuilt(look) {
      await cms.site.store.log.flush();
      const folder = join(root, `copy-${++copies}`);
      const copy = join(folder, 'sites', 'default', 'content.git');
      git(root, 'clone', '--quiet', '--mirror', repositoryIn(dataDir), copy);
      const fresh = await open(folder);
      try {
        await look?.(fresh.site);
        return await pictureOf(fresh, config);
      } finally {
        await fresh.close();
        rmSync(folder, { recursive: true });
      }
    },
    async restart(changed = config, { forget = false } = {}) {
      await cms.close();
      if (forget) rmSync(join(dataDir, 'sites', 'default', 'index'), { recursive: true });
      config = changed;
      cms = await open(dataDir);
    },
    async [Symbol.asyncDispose]() {
      await cms.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

const WORDS = ['title', 'copy', 'one', 'two', 'three'];

async function pictureOf({ site, content }: Cms, config: SiteConfigInput): Promise<Picture> {
  const { view, warnings, due, search } = site;
  await due.ready;
  // Warnings that need an index come a moment later.
  await delay(50);
  const lists: Record<string, unknown> = {};
  const documents: Record<string, unknown> = {};
  for (const collection of view.collections()) {
    const { name, sortable } = collection.schema;
    for (const by of ['createdAt', 'updatedAt', 'slug', 'id', ...sortable, 'own']) {
      for (const direction of ['asc', 'desc'] as const) {
        for (const status of [undefined, 'published', 'draft'] as const) {
          const rows = [...collection.order(by, direction, status).from(0)];
          lists[`${name} ${by} ${direction} ${status}`] = rows.map(({ slug }) => slug);
        }
      }
    }
    lists[`${name} tagged`] = collection.tags
      .withAll(['one'])
      .map(({ slug }) => slug)
      .sort();
    lists[`${name} total`] = (await content.findMany(name, { limit: 1 })).total;
    for (const row of collection.rows.values()) {
      const { body, meta, layout } = row;
      const found = site.content.find(name, { slug: row.slug });
      const etag = found?.etag === `"${row.etag}"` && view.byId(row.id) === row ? row.etag : 'others';
      documents[`${name}/${row.slug}`] = { body: body.toString(), meta, layout, etag };
    }
  }
  const found: Record<string, unknown> = {};
  for (const q of WORDS) {
    const { items, total } = await search.search({ q, limit: 500 });
    found[q] = [
      total,
      ...items.map(({ collection, slug, title, status }) => `${collection}/${slug} ${title} ${status}`).sort(),
    ];
  }
  const waiting = (kind: 'publish' | 'unpublish') => [...due.waiting(kind)].map(({ id, slug }) => `${id} ${slug}`);
  return {
    documents: sorted(documents),
    lists,
    found,
    size: view.size,
    due: [waiting('publish'), waiting('unpublish')],
    warnings: sorted(Object.fromEntries(warnings)),
    version: compileSite(parseConfig(config)).version,
  };
}

function sorted(entries: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}
