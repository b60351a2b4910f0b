// The history where commits go: a force-push that was accepted.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServiceError } from '../../src/lib/errors.ts';
import { commitBeside } from '../support/store-world.ts';
import { ACTOR, makePlace, readFeed } from './world.ts';

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
