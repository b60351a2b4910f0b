// What a service shows after it starts on what a crash left: documents, the feed of changes from several points,
// histories. Starts on the state itself, on its saved views and on the repository alone must show the same; they have
// every answered change, and no refused one.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Cms, createCms } from '../../../src/cms.ts';
import type { FolderImage } from '../disk-images.ts';
import type { Promises } from './check.ts';
import { putImage } from './recorded-folder.ts';
import type { Files } from './stage.ts';

const CONFIG = { collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text' as const }] }] };
const MEMORY = fs.existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
const ALL = 100_000;

interface Shown {
  documents: unknown[];
  feed: { commit: string; changeId: string; event: string; slug: string; id: string }[];
  histories: Record<string, unknown>;
}

async function look({ content, site }: Cms): Promise<Shown> {
  // Our commits then have their final ids.
  await site.store.log.flush();
  const { documents } = await content.findMany('posts', {});
  const changes = async (since?: string): Promise<Shown['feed']> => {
    const found = await site.history.changes({ limit: ALL, ...(since === undefined ? {} : { since }) });
    return found.changes
      .map((text) => JSON.parse(text) as Shown['feed'][number])
      .map(({ commit, changeId, event, slug, id }) => ({ commit, changeId, event, slug, id }));
  };
  const feed = await changes();
  for (const at of [0, feed.length >> 1, feed.length - 1]) {
    const one = feed[at];
    // A commit of several documents is reported as several changes.
    if (!one) continue;
    const last = feed.findLastIndex(({ commit }) => commit === one.commit);
    assert.deepEqual(await changes(one.commit), feed.slice(last + 1), `the feed since change ${at} of ${feed.length}`);
  }
  const histories: Shown['histories'] = {};
  for (const { slug } of documents) {
    histories[slug] = await site.history.history('posts', slug, { limit: ALL, offset: 0 });
  }
  return { documents: documents.toSorted((a, b) => (a.id < b.id ? -1 : 1)), feed, histories };
}

/** Throws if something is wrong. `folder`: the site's folder in the image. */
export async function checkViews(image: FolderImage, folder: string, promised: Promises): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(MEMORY, 'colophon-views-'));
  try {
    const site = path.join(dataDir, 'sites', 'default');
    putImage(at(image, folder), site);
    // As an operator does, or the service when the lock is a minute old.
    if (promised.hasOperator) fs.rmSync(path.join(site, 'content.git/refs/heads/main.lock'), { force: true });
    const shown: Shown[] = [];
    for (const start of ['on what the crash left', 'on its saved views', 'on the repository alone'] as const) {
      if (start === 'on the repository alone') fs.rmSync(path.join(site, 'index'), { recursive: true, force: true });
      const cms = await createCms(CONFIG, { dataDir, now: () => new Date('2026-01-03T00:00:00.000Z') });
      try {
        shown.push(await look(cms));
      } finally {
        await cms.close();
      }
      assert.deepEqual(shown.at(-1), shown[0], `a start ${start} shows the same as the first`);
    }
    const ids = shown[0]!.feed.map(({ changeId }) => changeId);
    const acknowledged = promised.acknowledged.filter((id) => isOfDocuments(promised.submitted.get(id) ?? {}));
    assert.deepEqual(
      ids.filter((id) => acknowledged.includes(id)),
      acknowledged,
      'each answered change is in the feed once, in order',
    );
    assert.deepEqual(
      ids.filter((id) => promised.refused.has(id)),
      [],
      'refused changes are not in the feed',
    );
    for (const commit of promised.standing)
      assert.ok(ids.includes(commit), `external commit ${commit} is not in the feed`);
  } finally {
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A start that crashes too may write commits of its own, which are not documents. */
function isOfDocuments(files: Files): boolean {
  return Object.values(files).every((text) => text === null || text.startsWith('{'));
}

const NOTHING: FolderImage = { ino: 0, names: new Map() };

function at(image: FolderImage, folder: string): FolderImage {
  let found = image;
  for (const name of folder.split('/').filter(Boolean)) {
    const next = found.names.get(name);
    found = next && 'names' in next ? next : NOTHING;
  }
  return found;
}
