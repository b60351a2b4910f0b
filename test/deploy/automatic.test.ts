// Automatic deploys: what counts as public, when one begins, and that a restart loses none.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AFTER_FAILURE, AFTER_SAVE, extendPause, type PendingPause } from '../../src/deploy/automatic/pause.ts';
import { publicChangeOf } from '../../src/deploy/automatic/public-change.ts';
import { isMediaUsed } from '../../src/deploy/automatic/used-media.ts';
import type { Deploy } from '../../src/deploy/deploy.ts';
import { CONFIG, makeWorld, type World } from '../support/world.ts';
import { type DeployWorld, makeDeployWorld } from './world.ts';

/** Waits for the next automatic deploy and its end. */
async function nextDeploy(world: DeployWorld, count = 1): Promise<Deploy> {
  for (;;) {
    const list = await world.list();
    if (list.length >= count) return world.ended(list[0]!.id);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('a pause begins with the last change, and the first change limits it', () => {
  const at = (times: number[], limits = AFTER_SAVE): number =>
    times.reduce<PendingPause | undefined>((pending, time) => extendPause(pending, time, limits), undefined)!.fireAt;
  assert.is(at([0]), 2000);
  assert.is(at([0, 1500]), 3500);
  assert.is(at(Array.from({ length: 40 }, (_, i) => i * 1000)), 39_000);
  assert.is(at(Array.from({ length: 29 }, (_, i) => i * 1000)), 30_000);
  assert.is(at([0, 1000, 2000, 3000, 4000, 5000], AFTER_FAILURE), 6000);
});

/** The public changes of the commits that `work` makes. */
async function changesOf(world: World, work: () => Promise<unknown>): Promise<boolean[]> {
  const { history } = world.site();
  const since = await history.newest();
  const { events } = await world.appended(work);
  const found: boolean[] = [];
  const controller = new AbortController();
  const { commits } = await history.commits(since, controller.signal);
  for await (const commit of commits) {
    found.push((await publicChangeOf(commit, () => false)).isCertain);
    if (found.length === events.length) break;
  }
  return found;
}

test('a change of a published document is public; drafts and locks are not', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  const path = '/api/cms/posts/one';
  const changes = await changesOf(world, async () => {
    await admin.post('/api/cms/posts', { slug: 'one', data: { title: 'One' } });
    await admin.patch(path, { data: { title: 'Two' } });
    await admin.patch(path, { status: 'published' });
    await admin.patch(path, { data: { title: 'Three' } });
    await admin.patch(path, { status: 'draft' });
    await admin.delete(path);
  });
  assert.equal(changes, [false, false, true, true, true, false]);
});

test('media is used if a published document names it', async () => {
  await using world = await makeWorld();
  const { view } = world.site();
  const isUsed = (slug: string): Promise<boolean> => isMediaUsed(view, new Set([slug]));
  await world.admin.post('/api/cms/posts', {
    slug: 'one',
    data: { title: 'A', body: '![](/uploads/a/cat%20one.png)' },
  });
  assert.not(await isUsed('a/cat one.png'));
  await world.admin.patch('/api/cms/posts/one', { status: 'published' });
  assert.ok(await isUsed('a/cat one.png'));
  assert.not(await isUsed('a/dog.png'));
});

test('deploy on save: a published document deploys once, after a pause', async () => {
  await using world = await makeDeployWorld({ settings: { deployOnSave: true } });
  const { admin } = world;
  await admin.post('/api/cms/posts', { slug: 'draft', data: { title: 'Draft' } });
  for (const slug of ['one', 'two', 'three']) {
    await admin.post('/api/cms/posts', { slug, status: 'published', data: { title: slug } });
  }
  const done = await nextDeploy(world);
  assert.equal([done.trigger, done.by, done.status], ['save', null, 'success']);
  assert.is((await world.list()).length, 1);
});

test('a change just before the end of the service is deployed after its next start', async () => {
  await using world = await makeDeployWorld({ settings: { deployOnSave: true } });
  await world.admin.post('/api/cms/posts', { slug: 'one', status: 'published', data: { title: 'One' } });
  await world.restart();
  assert.is((await nextDeploy(world)).trigger, 'save');
});

test('with a revalidation a save deploys nothing, and a failed one does, whatever deployOnSave says', async () => {
  await using world = await makeDeployWorld({
    settings: {
      deployOnSave: true,
      revalidateUrl: 'https://site.example/api/revalidate',
      revalidateSecret: 's3cret-s3cret',
    },
  });
  await world.admin.post('/api/cms/posts', { slug: 'one', status: 'published', data: { title: 'One' } });
  await world.admin.post('/api/admin/site-config', { deployOnSave: false });
  await world.site().deploys.requestAutomatic('revalidation');
  assert.is((await nextDeploy(world)).trigger, 'revalidation');
  assert.is((await world.list()).length, 1);
});

test('a start with another configuration builds everything anew', async () => {
  await using world = await makeDeployWorld({ settings: { deployOnSave: true } });
  await world.deployed();
  await world.restart();
  assert.is((await world.list()).length, 1);
  await world.restart({ config: { ...CONFIG, locales: ['en', 'de', 'da'] } });
  assert.is((await nextDeploy(world, 2)).trigger, 'save');
});

test('the host’s limit puts off an automatic deploy, and not one of a person', async () => {
  await using world = await makeDeployWorld({ host: { name: 'github-pages' } });
  const { admin } = world;
  await admin.post('/api/admin/site-config', { deployProvider: 'github-pages' });
  for (let i = 0; i < 10; i++) {
    world.host.files = { 'index.html': `${i}` };
    await world.deployed();
  }
  await world.site().deploys.requestAutomatic('save');
  while ((await world.list()).length < 11) await new Promise((resolve) => setTimeout(resolve, 50));
  const [waiting] = await world.list();
  assert.equal([waiting!.status, waiting!.trigger], ['queued', 'save']);
  assert.is(waiting!.waitsUntil, '2026-01-02T04:04:05.678Z');
  const mine = await world.trigger();
  assert.equal([mine.id, mine.trigger, mine.by, mine.waitsUntil], [waiting!.id, 'manual', 'Ada', null]);
  assert.is((await world.ended(mine.id)).status, 'success');
});

test('deployCron deploys when it is due, in the site’s time zone', async () => {
  await using world = await makeDeployWorld({ settings: { deployCron: '0 6 * * *', timezone: 'Europe/Copenhagen' } });
  world.advance(2 * 3600_000);
  const { json } = await world
    .client({ 'x-cms-service-token': 'service-secret-of-the-tests-0123456789' })
    .get('/api/cms/heartbeat');
  assert.equal(json.ran, ['deploy: completed', 'calendar: updated']);
  const [done] = await world.list();
  assert.equal([done!.trigger, done!.by, done!.status], ['schedule', null, 'success']);
});

test('a damaged file of automatic deploys keeps no site closed', async () => {
  await using world = await makeDeployWorld({ settings: { deployOnSave: true } });
  writeFileSync(join(world.dataDir, 'sites/default/_data/deploys/automatic.json'), '{');
  await world.restart();
  await world.admin.post('/api/cms/posts', { slug: 'one', status: 'published', data: { title: 'One' } });
  assert.is((await nextDeploy(world)).status, 'success');
});

test.run();
