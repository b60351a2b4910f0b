// When pushes go out, on a clock that the test sets.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPushPace, retryMs } from '../../../src/store/remote/pace.ts';
import { makeRemoteWorld } from '../../support/remote-world.ts';
import { write } from '../../support/store-world.ts';

test('the first change after a quiet time is pushed soon, the next ones in batches', () => {
  const pace = createPushPace();
  assert.is(pace.waitMs(0), 1000);
  pace.pushed(1000);
  assert.is(pace.waitMs(1000), 10_000);
  assert.is(pace.waitMs(8000), 3000);
  assert.is(pace.waitMs(600_000), 1000);
});

test('no minute has a seventh push, even if some are requested', () => {
  const pace = createPushPace();
  const sent: number[] = [];
  for (let at = 0; at < 300_000; at += 250) {
    // Some of them were requested; those count too.
    const isAsked = at < 3000 || at === 100_000;
    if ((!isAsked && !pace.mayPush(at)) || (!isAsked && at % 1000 !== 0)) continue;
    if (isAsked && !pace.mayPush(at)) continue;
    pace.pushed(at);
    sent.push(at);
  }
  for (const start of sent) assert.ok(sent.filter((at) => at >= start && at < start + 60_000).length <= 6);
  assert.ok(sent.length > 20);
  const wait = pace.waitMs(300_000);
  assert.ok(pace.mayPush(300_000 + wait));
});

test('failures are tried again at growing intervals, and never given up', () => {
  assert.equal([1, 2, 3, 8, 9, 500].map(retryMs), [2000, 4000, 8000, 256_000, 300_000, 300_000]);
});

test('a busy hour makes at most six pushes a minute, and its last change is pushed without a request', async () => {
  await using world = await makeRemoteWorld();
  const sent: number[] = [];
  world.host.mood = (seen) => {
    if (seen.what === 'post git-receive-pack') sent.push(world.clock.nowMs);
    return 'pass';
  };
  for (let second = 0; second < 75; second++) {
    if (second % 5 === 0) await write(world.store, { 'content/posts/a.json': `${second}` });
    await world.advance(1000);
  }
  await world.advance(10_000);
  assert.is(await world.head(), world.store.log.status().head);
  for (const start of sent) assert.ok(sent.filter((at) => at >= start && at < start + 60_000).length <= 6);
  assert.ok(sent.length >= 7 && sent.length <= 9, `${sent.length}`);
});

test('pushes of others arrive here within half a minute, and changes made here arrive there within two seconds', async () => {
  await using world = await makeRemoteWorld();
  await world.advance(0);
  const ours = await write(world.store, { 'content/posts/a.json': 'a' });
  await world.advance(2000);
  assert.is(await world.head(), ours);
  const theirs = world.pushes({ 'content/posts/b.json': 'b' });
  await world.advance(30_000);
  assert.is(world.store.log.status().head, theirs);
});

test('a remote that does not answer is reported after some minutes, and no longer once it is back', async () => {
  await using world = await makeRemoteWorld();
  world.host.mood = (_, __, res) => {
    res.writeHead(503).end();
    return 'handled';
  };
  await write(world.store, { 'content/posts/a.json': 'a' });
  await world.advance(60_000);
  assert.equal(world.remote.warnings(), []);
  await world.advance(240_000);
  const [silent = '', late = ''] = world.remote.warnings();
  assert.match(silent, /has not answered for \d min: .*503/);
  assert.match(late, /1 commits are not pushed/);
  assert.is(world.warnings.filter((line) => line.includes('503')).length, 1);
  assert.ok(world.host.requests.length < 12, `${world.host.requests.length} tries in five minutes`);
  world.host.mood = () => 'pass';
  await world.advance(300_000);
  assert.equal(world.remote.warnings(), []);
  assert.is(world.remote.status().unpushedSince, null);
});

test('the service ends with a last push, and without waiting for a host that does not answer', async () => {
  await using world = await makeRemoteWorld();
  await world.remote.sync();
  const ours = await write(world.store, { 'content/posts/a.json': 'a' });
  await world.remote.close();
  assert.is(await world.head(), ours);
});

test.run();
