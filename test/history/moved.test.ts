// The history when commits are dropped or replayed: an accepted force-push, a remote with commits of its own.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ServiceError } from '../../src/lib/errors.ts';
import { commitBeside, untilTakenIn } from '../support/store-world.ts';
import { ACTOR, type Change, makePlace, readFeed } from './world.ts';

test('after an accepted force-push the history is that of the new branch', async () => {
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
  // The log does not report the dropped commit, so a reader that had seen it reads everything again.
  assert.is(await statusOf(history.changes({ since: dropped.commit!, limit: 10 })), 404);
  assert.is((await history.changes({ since: before, limit: 10 })).head, theirs);
  await content.create('posts', { slug: 'dropped', data: {} }, ACTOR);
  assert.is((await history.history('posts', 'dropped', { limit: 10, offset: 0 })).total, 1);
});

test('commits that were replayed on a remote’s history are reported again under their new ids', async () => {
  await using place = await makePlace();
  const { content, history, store } = place.cms.site;
  const base = store.log.status().head!;
  const one = await content.create('posts', { slug: 'one', data: {} }, ACTOR);
  await store.log.flush();
  // Two external commits with the same message in the same second.
  const beside = ['a', 'b'].map((text) => commitBeside(place.repository, { 'README.md': text }));
  await untilTakenIn(store);
  const two = await content.create('posts', { slug: 'two', data: {} }, ACTOR);
  await store.log.flush();
  const theirs = commitBeside(
    place.repository,
    { 'LICENSE.md': 'free' },
    { ref: 'refs/heads/theirs', parents: [base], message: 'theirs' },
  );
  await store.log.replayOnto(theirs, base);
  const since = async (commit: string): Promise<Change[]> =>
    (await history.changes({ since: commit, limit: 10 })).changes.map((text) => JSON.parse(text));
  const changes = await since(base);
  assert.equal(
    changes.map(({ replaces }) => replaces),
    [one.commit, two.commit],
  );
  for (const seen of [one.commit!, ...beside, two.commit!]) assert.equal(await since(seen), changes, seen);
  const page = await history.history('posts', 'one', { limit: 10, offset: 0 });
  assert.equal(
    page.entries.map(({ commit }) => commit),
    [changes[0]?.commit],
  );
});

test('a replayed change is reported with its actual place, also if it is a deletion', async () => {
  await using place = await makePlace();
  const { content, history, store } = place.cms.site;
  await content.create('posts', { slug: 'old', data: { title: 'T' } }, ACTOR);
  await store.log.flush();
  const old = content.stored('posts', { slug: 'old' })!;
  const since = store.log.status().head!;
  const taken = { ...old, id: 'Hand00000001', slug: 'taken', data: {} };
  const [made, gone] = await Promise.all([
    content.create('posts', { slug: 'taken', data: {} }, ACTOR),
    content.remove('posts', { slug: 'old' }, ACTOR),
  ]);
  // In the same turn: our changes reach git only after this.
  commitBeside(place.repository, {
    'content/posts/taken.json': JSON.stringify(taken),
    'content/posts/old.json': null,
    'content/posts/new.json': JSON.stringify({ ...old, slug: 'new' }),
  });
  await store.log.flush();
  const { changes } = await history.changes({ since, limit: 10 });
  assert.equal(
    changes.map((text) => JSON.parse(text) as Change).map(({ event, slug, replaces }) => [event, slug, replaces]),
    [
      ['document.renamed', 'new', undefined],
      ['document.created', 'taken', undefined],
      ['document.created', 'taken-2', made.commit],
      ['document.deleted', 'new', gone.commit],
    ],
  );
  const { documents } = await history.trash({ limit: 10, offset: 0 });
  assert.equal(
    documents.map(({ id, slug, title }) => [id, slug, title]),
    [[old.id, 'new', 'T']],
  );
  assert.is((await history.history('posts', 'new', { limit: 10, offset: 0 })).total, 3);
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
