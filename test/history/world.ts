// A site in this process for tests of its history: it can be reopened with or without its index, and read as a feed.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cms, createCms } from '../../src/cms.ts';

export const CONFIG = {
  locales: ['en', 'de', ...Array.from({ length: 500 }, (_, n) => `x-t${n}`)],
  collections: [
    { name: 'posts', fields: [{ name: 'title', type: 'text' as const }] },
    { name: 'many', sharded: true, fields: [{ name: 'title', type: 'text' as const }] },
  ],
};
export const COLLECTIONS = ['posts', 'many'];
export const ACTOR = { kind: 'user' as const, userId: 'u1', name: 'Ada', email: 'ada@example.com' };
const START_MS = Date.UTC(2026, 0, 2);

export interface Place extends AsyncDisposable {
  cms: Cms;
  folder: string;
  repository: string;
  /** `saved`: the folder of an older index that replaces this one, as if a kill had come before it was saved again. */
  reopen(change?: { forget?: boolean; saved?: string }): Promise<void>;
}

export async function makePlace(): Promise<Place> {
  const dataDir = mkdtempSync(join(tmpdir(), 'history-'));
  const folder = join(dataDir, 'sites', 'default');
  let now = START_MS;
  const open = () => createCms(CONFIG, { dataDir, now: () => new Date((now += 1000)) });
  const cms = await open();
  for (const slug of ['first', 'second']) await cms.content.create('posts', { slug, data: {} });
  await cms.site.store.log.flush();
  const place: Place = {
    cms,
    folder,
    repository: join(folder, 'content.git'),
    async reopen({ forget, saved } = {}) {
      await place.cms.close();
      if (forget || saved) rmSync(join(folder, 'index'), { recursive: true });
      if (saved) cpSync(saved, join(folder, 'index'), { recursive: true });
      place.cms = await open();
    },
    async [Symbol.asyncDispose]() {
      await place.cms.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return place;
}

export interface Change {
  commit: string;
  changeId: string;
  id: string;
  slug: string;
  event: string;
  replaces?: string;
}

export async function readFeed({ cms }: Place): Promise<Change[]> {
  const { changes } = await cms.site.history.changes({ limit: 100_000 });
  return changes.map((text) => JSON.parse(text));
}
