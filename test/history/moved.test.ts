// The history where commits become others, or go: a start after a kill, and a force-push.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCms } from '../../src/cms.ts';
import type { ServiceError } from '../../src/lib/errors.ts';
import { commitBeside } from '../support/store-world.ts';
import { ACTOR, type Change, CONFIG, makePlace, readFeed } from './world.ts';

test('whoever saw a change before a kill goes on from there, though the start gave it another commit', async () => {
  await using place = await makePlace();
  const { content, store } = place.cms.site;
  const base = store.log.status().head!;
  const write = (slug: string) => content.create('posts', { slug, data: {} }, ACTOR);
  const [one, two] = await Promise.all([write('one'), write('two')]);
  // As a kill leaves it: durable, and not in git. Then somebody pushes.
  const image = mkdtempSync(join(tmpdir(), 'history-'));
  cpSync(place.folder, join(image, 'sites', 'default'), { recursive: true });
  assert.ok(store.log.status().unflushed > 0, 'nothing is waiting: the image shows nothing');
  const beside = commitBeside(join(image, 'sites', 'default', 'content.git'), { 'README.md': 'hi' });
  const again = await createCms(CONFIG, { dataDir: image });
  try {
    const { history } = again.site;
    const since = async (commit: string): Promise<Change[]> =>
      (await history.changes({ since: commit, limit: 100 })).changes.map((text) => JSON.parse(text));
    const changes = await since(base);
    assert.equal(
      changes.map(({ replaces }) => replaces),
      [one.commit, two.commit],
    );
    assert.equal(await since(one.commit!), changes);
    assert.equal(await since(two.commit!), changes);
    assert.equal(await since(beside), changes);
    assert.is(JSON.parse(String((await history.version('posts', 'two', two.commit!)).body)).slug, 'two');
  } finally {
    await again.close();
    rmSync(image, { recursive: true, force: true });
  }
});

test('after a force-push that was accepted the history is the one that the branch has now', async () => {
  await using place = await makePlace();
  const { content, history, store } = place.cms.site;
  const before = store.log.status().head!;
  const dropped = await content.create('posts', { slug: 'dropped', data: {} }, ACTOR);
  await content.update('posts', { slug: 'first' }, { data: { title: 'dropped' } }, ACTOR);
  await store.log.flush();
  const theirs = commitBeside(place.repository, { 'README.md': 'hi' }, { parents: [before] });
  store.log.poll();
  await store.log.choose('theirs');
  assert.is((await readFeed(place)).length, 2);
  assert.is((await history.history('posts', 'first', { limit: 10, offset: 0 })).total, 1);
  assert.is(await statusOf(history.history('posts', 'dropped', { limit: 10, offset: 0 })), 404);
  // Nothing says what became of it, so who had seen it reads everything again.
  assert.is(await statusOf(history.changes({ since: dropped.commit!, limit: 10 })), 404);
  assert.is((await history.changes({ since: before, limit: 10 })).head, theirs);
  await content.create('posts', { slug: 'dropped', data: {} }, ACTOR);
  assert.is((await history.history('posts', 'dropped', { limit: 10, offset: 0 })).total, 1);
});

async function statusOf(work: Promise<unknown>): Promise<number> {
  try {
    await work;
    return 200;
  } catch (error) {
    return (error as ServiceError).status;
  }
}

test.run();
