// The repository's state, and the choice after a force-push, through the API.
import { execFileSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, type World } from '../../support/world.ts';

const RESOLVE = '/api/admin/repository/resolve';

async function makeMoved(world: World): Promise<{ ours: string; theirs: string }> {
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'one' } });
  await world.admin.patch('/api/cms/posts/a', { data: { title: 'two' } });
  const { log } = world.site().store;
  await log.flush();
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', world.site().store.repository, ...args], { encoding: 'utf8' }).trim();
  const ours = git('rev-parse', 'main');
  const theirs = git('rev-parse', 'main~1');
  git('update-ref', 'refs/heads/main', theirs);
  log.poll();
  return { ours, theirs };
}

test('the state has heads, refusal and files that are not documents', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'one' } });
  await world.site().store.log.flush();
  const { status, json } = await world.admin.get('/api/admin/repository');
  assert.is(status, 200);
  assert.is(json.head, json.branch);
  assert.equal([json.unflushed, json.refusal, json.moved, json.warnings], [0, null, null, []]);
  assert.is(json.checked, null);
  assert.is((await world.anonymous.get('/api/admin/repository')).status, 401);
});

test('keeping ours after a force-push restores everything and allows writes again', async () => {
  await using world = await makeWorld();
  const { ours, theirs } = await makeMoved(world);
  const moved = await world.admin.get('/api/admin/repository');
  assert.equal(moved.json.moved, { ours, theirs });
  assert.is((await world.admin.patch('/api/cms/posts/a', { data: {} })).status, 503);
  const resolved = await world.admin.post(RESOLVE, { keep: 'ours' });
  assert.equal([resolved.status, resolved.json.moved, resolved.json.branch], [200, null, ours]);
  const written = await world.admin.patch('/api/cms/posts/a', { data: { rank: 1 } });
  assert.equal([written.status, written.json.data.title], [200, 'two']);
  assert.is((await world.anonymous.get('/readyz')).status, 200);
});

test('keeping theirs after a force-push shows the pushed state', async () => {
  await using world = await makeWorld();
  const { theirs } = await makeMoved(world);
  const resolved = await world.admin.post(RESOLVE, { keep: 'theirs' });
  assert.equal([resolved.status, resolved.json.branch], [200, theirs]);
  assert.is((await world.admin.get('/api/cms/posts/a')).json.data.title, 'one');
  assert.is((await world.admin.patch('/api/cms/posts/a', { data: { rank: 1 } })).status, 200);
});

test('a choice names the commit that was shown, and is refused if the branch was moved again', async () => {
  await using world = await makeWorld();
  const { ours, theirs } = await makeMoved(world);
  for (const shown of [ours, null]) {
    assert.is((await world.admin.post(RESOLVE, { keep: 'ours', theirs: shown })).status, 409);
  }
  assert.equal((await world.admin.get('/api/admin/repository')).json.moved, { ours, theirs });
  const resolved = await world.admin.post(RESOLVE, { keep: 'ours', theirs });
  assert.equal([resolved.status, resolved.json.moved, resolved.json.branch], [200, null, ours]);
});

test('a choice without a force-push is a conflict, and an unknown choice is invalid', async () => {
  await using world = await makeWorld();
  assert.is((await world.admin.post(RESOLVE, { keep: 'ours' })).status, 409);
  assert.is((await world.admin.post(RESOLVE, { keep: 'both' })).status, 400);
  assert.is((await world.admin.post(RESOLVE, {})).status, 400);
  assert.is((await world.anonymous.post(RESOLVE, { keep: 'ours' })).status, 401);
});

test.run();
