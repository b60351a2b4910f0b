// How a site is doing, over HTTP: each part for those who may read what it is about.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { VERSION } from '../../../src/version.ts';
import { eventually } from '../../support/process.ts';
import { commitBeside } from '../../support/store-world.ts';
import { gif, upload } from '../../support/upload.ts';
import { makeWorld } from '../../support/world.ts';

test('an admin sees every part', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { data: { title: 'One' } });
  await upload(world.admin, 'a.gif', gif());
  const { status, json } = await world.admin.get('/api/admin/status');
  assert.is(status, 200);
  const { disk, ...rest } = json;
  assert.equal(rest, {
    ready: true,
    refusal: null,
    version: VERSION,
    index: { documents: 1, media: 1, commit: world.headCommit() },
    deploy: { configured: false, running: 0, last: null },
    problems: [],
    warnings: [],
    queue: json.queue,
    remote: null,
  });
  assert.ok(Array.isArray(json.queue));
  assert.ok(disk.freeBytes > 0 && disk.freeBytes <= disk.totalBytes);
});

test('a file that is not a document is a warning of its own site alone', async () => {
  const config = { collections: [{ name: 'posts', fields: [] }] };
  await using world = await makeWorld({ sites: { other: config } });
  const warnings = async (site: string): Promise<string[]> =>
    (await world.admin.get(`/api/admin/status?site=${site}`)).json.warnings;
  await world.admin.post('/api/cms/posts?site=default', { data: { title: 'One' } });
  const { store } = world.site('default');
  await store.log.flush();
  commitBeside(store.repository, { 'content/posts/broken.json': 'no JSON' });
  const isReported = (text: string): boolean => text.includes('broken.json');
  await eventually(async () => assert.ok((await warnings('default')).some(isReported)), 10_000);
  assert.equal(await warnings('other'), []);
  assert.is((await world.admin.get('/api/admin/status?site=default')).json.ready, true);
});

test('others see the parts that their rights cover', async () => {
  await using world = await makeWorld();
  const keysOf = async (client: { get: typeof world.admin.get }): Promise<string[]> =>
    Object.keys((await client.get('/api/admin/status')).json).sort();
  assert.equal(await keysOf(await world.user('viewer')), ['deploy', 'index', 'ready', 'refusal', 'version']);
  assert.equal(await keysOf(await world.user('author')), ['index', 'ready', 'refusal', 'version']);
  assert.equal(await keysOf(await world.token(['content:read'])), ['index', 'ready', 'refusal', 'version']);
  assert.is((await world.anonymous.get('/api/admin/status')).status, 401);
  assert.is((await (await world.token(['content:read-published'])).get('/api/admin/status')).status, 403);
});

test('an admin of one site gets no status of another, and no notes about the whole service', async () => {
  const config = { collections: [{ name: 'posts', fields: [] }] };
  await using world = await makeWorld({ sites: { other: config } });
  await world.anonymous.get('/', { 'X-Forwarded-For': '192.0.2.1' });
  const limited = await world.user('admin', ['default']);
  assert.is((await limited.get('/api/admin/status?site=other')).status, 403);
  assert.equal((await limited.get('/api/admin/status?site=default')).json.warnings, []);
  assert.is((await world.admin.get('/api/admin/status?site=default')).json.warnings.length, 1);
});

test.run();
