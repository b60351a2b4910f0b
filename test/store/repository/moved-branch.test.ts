// After a force-push writes stop and reads continue, and neither side loses anything until an administrator chooses.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openWithHistory, refusalOf, show, until } from '../../support/store-history.ts';
import { append, commitBeside, makeStoreWorld, type StoreWorld, write } from '../../support/store-world.ts';

test('after a force-push writes are refused and reads continue, until the branch is put back', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const head = store.log.status().head!;
  const waiting = append(store, { 'content/posts/w.json': 'waits' });
  await waiting.durable;
  world.git('update-ref', 'refs/heads/main', 'main~2');
  store.log.poll();
  assert.is(refusalOf(store), 'unavailable');
  assert.is(store.log.status().refusal?.code, 'unavailable');
  assert.ok(store.log.status().refusal?.message.includes(`update-ref refs/heads/main ${head}`));
  assert.is(store.odb.get(head, 'commit').length > 0, true);
  assert.ok(store.log.has('content/posts/w.json'));
  const flushed = await store.log.flush().catch((error: { code: string }) => error.code);
  assert.is(flushed, 'unavailable');
  assert.is(world.warnings.length, 1);
  store.log.poll();
  assert.is(world.warnings.length, 1);

  world.git('update-ref', 'refs/heads/main', head);
  store.log.poll();
  assert.is(store.log.status().refusal, undefined);
  await write(store, { 'content/posts/after.json': 'y' });
  await store.log.flush();
  assert.is(show(world, 'content/posts/w.json'), 'waits');
  assert.is(world.git('rev-parse', 'main~2').trim(), head);
});

test('a force-push while the service is stopped is a choice: the commits that it removed stay removed', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  await until(() => store.log.status().unflushed === 0);
  // Time for the write-ahead log to record that all of it is in git.
  await new Promise((resume) => setTimeout(resume, 100));
  world.git('update-ref', 'refs/heads/main', 'main~2');
  const back = world.git('rev-parse', 'main').trim();
  // As if the service was killed instead of closed: its files are copied as they are.
  const copy = path.join(world.folder, 'copy');
  for (const name of ['content.git', 'wal'])
    fs.cpSync(path.join(world.folder, name), path.join(copy, name), { recursive: true });
  const killed = world.open({ folder: copy });
  assert.equal(killed.recovered, []);
  assert.is(killed.log.status().head, back);
  await killed.close();
});

async function moveAway(world: StoreWorld) {
  const { store, changes } = await openWithHistory(world);
  const ours = store.log.status().head!;
  await write(store, { 'content/posts/w.json': 'waits' });
  world.git('update-ref', 'refs/heads/main', 'main~2');
  const theirs = commitBeside(world.repository, { 'content/posts/t.json': 'theirs' });
  store.log.poll();
  assert.equal(store.log.status().moved, { ours, theirs });
  return { store, changes, ours, theirs };
}

test('a restart after a force-push makes no choice: reads see the earlier commit, and writes are still refused', async () => {
  await using world = makeStoreWorld();
  const { store, ours, theirs } = await moveAway(world);
  await store.close();
  world.git('gc', '--prune=now', '--quiet');
  const again = world.open();
  assert.is(again.openedAt, ours);
  assert.equal(again.recovered.length, 1);
  again.log.poll();
  assert.is(refusalOf(again), 'unavailable');
  assert.equal(again.log.status().moved, { ours, theirs });
  await again.log.choose('ours');
  await again.log.flush();
  assert.is(world.git('rev-parse', 'main~1').trim(), ours);
  assert.is(show(world, 'content/posts/w.json'), 'waits');
  await again.close();
  // That choice is made: moving the branch while the service is stopped is a new one.
  world.git('update-ref', 'refs/heads/main', ours);
  assert.is(world.open().openedAt, ours);
});

test('keeping ours after a force-push puts the branch back, and keeps theirs under a separate ref', async () => {
  await using world = makeStoreWorld();
  const { store, changes, ours, theirs } = await moveAway(world);
  await store.log.choose('ours');
  assert.is(refusalOf(store), undefined);
  await store.log.flush();
  assert.ok(world.git('rev-list', 'main').includes(ours));
  assert.is(world.git('rev-parse', `refs/colophon/kept/${theirs}`).trim(), theirs);
  assert.is(show(world, 'content/posts/w.json'), 'waits');
  assert.equal(changes, []);
  assert.is(world.fsck(), '');
});

test('keeping theirs after a force-push puts waiting changes on top, and keeps ours under a separate ref', async () => {
  await using world = makeStoreWorld();
  const { store, changes, ours, theirs } = await moveAway(world);
  await store.log.choose('theirs');
  await store.log.flush();
  assert.is(world.git('rev-parse', 'main~1').trim(), theirs);
  assert.is(world.git('rev-parse', `refs/colophon/kept/${ours}`).trim(), ours);
  assert.equal([show(world, 'content/posts/w.json'), show(world, 'content/posts/t.json')], ['waits', 'theirs']);
  const [change] = changes;
  assert.equal([change?.from, change?.to, change?.replanted.length], [ours, theirs, 1]);
  assert.is(world.git('rev-parse', 'main').trim(), change?.replanted[0]?.entry.commit);
  assert.is(world.fsck(), '');
});

test('a choice is refused if the branch was not moved, and so is keeping theirs if the branch is gone', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const code = (error: { code: string }) => error.code;
  assert.is(await store.log.choose('ours').catch(code), 'conflict');
  const head = store.log.status().head!;
  world.git('update-ref', '-d', 'refs/heads/main');
  store.log.poll();
  assert.is(await store.log.choose('theirs').catch(code), 'conflict');
  await store.log.choose('ours');
  assert.is(world.git('rev-parse', 'main').trim(), head);
});

test('after the branch was deleted writes are refused, and no new history is begun', async () => {
  await using world = makeStoreWorld();
  const { store } = await openWithHistory(world);
  const head = store.log.status().head!;
  world.git('update-ref', '-d', 'refs/heads/main');
  store.log.poll();
  assert.is(refusalOf(store), 'unavailable');
  world.git('update-ref', 'refs/heads/main', head);
  store.log.poll();
  assert.is(refusalOf(store), undefined);
});

test.run();
