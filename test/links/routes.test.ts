// The link check over HTTP: who may start it and read its report, on which site, and by the heartbeat.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CONFIG, makeWorld, SERVICE_SECRET, type World } from '../support/world.ts';
import { openElsewhere } from './server.ts';

const PATH = '/api/admin/link-check';

async function publish(world: World, slug: string, body: string, site = 'default'): Promise<void> {
  const { status, text } = await world.admin.post(`/api/cms/posts?site=${site}`, {
    slug,
    status: 'published',
    data: { title: slug, body },
  });
  assert.is(status, 200, text);
}

test('a check answers with its report, which stays available, even after a restart', async () => {
  await using world = await makeWorld();
  const before = await world.admin.get(PATH);
  assert.equal([before.status, before.json], [200, { running: false, report: null }]);
  await publish(world, 'hello', '[a](/blog/hello) [b](/blog/gone) [c](http://127.0.0.1:9/)');
  const { status, json } = await world.admin.post(PATH);
  assert.is(status, 200);
  assert.is(json.running, false);
  assert.equal(
    json.report.broken.map(({ url, error }: Record<string, string>) => `${url} ${error}`),
    ['/blog/gone not_found', 'http://127.0.0.1:9/ private_address'],
  );
  assert.equal(json.report.broken[0].documents, [{ collection: 'posts', slug: 'hello', field: 'body' }]);
  await world.restart();
  assert.equal((await world.admin.get(PATH)).json, { running: false, report: json.report });
});

test('with allowPrivateTargets private addresses are requested', async () => {
  await using elsewhere = await openElsewhere();
  await using world = await makeWorld();
  await world.admin.post('/api/admin/site-config', { allowPrivateTargets: true });
  await publish(world, 'hello', `[a](${elsewhere.url}/fine)`);
  const { json } = await world.admin.post(PATH);
  assert.equal([json.report.asked, json.report.broken], [1, []]);
  assert.match([...elsewhere.agents].join(), /^Colophon-LinkCheck\/\d/);
});

test('readers of content may read the report, and writers of content may start a check', async () => {
  await using world = await makeWorld();
  const [viewer, editor] = [await world.user('viewer'), await world.user('editor')];
  const media = await world.token(['media:read']);
  assert.is((await world.anonymous.get(PATH)).status, 401);
  assert.is((await world.anonymous.post(PATH)).status, 401);
  assert.is((await media.get(PATH)).status, 403);
  assert.is((await viewer.get(PATH)).status, 200);
  assert.is((await viewer.post(PATH)).status, 403);
  assert.is((await editor.post(PATH)).status, 200);
});

test('each site is checked separately', async () => {
  await using world = await makeWorld({ sites: { other: CONFIG } });
  await publish(world, 'here', '[a](/blog/there)');
  await publish(world, 'there', '[a](/blog/here)', 'other');
  const { json } = await world.admin.post(`${PATH}?site=other`);
  assert.equal(
    json.report.broken.map(({ url }: { url: string }) => url),
    ['/blog/here'],
  );
  assert.is((await world.admin.get(`${PATH}?site=default`)).json.report, null);
  assert.is((await world.admin.post(PATH)).status, 400);
});

test('the heartbeat runs the check once when its schedule is due', async () => {
  await using world = await makeWorld();
  await publish(world, 'hello', '[a](/blog/gone)');
  await world.admin.post('/api/admin/site-config', { linkCheckSchedule: '0 * * * *' });
  const beat = async (): Promise<string[]> => {
    const { json } = await world.anonymous.request('GET', '/api/cms/heartbeat', undefined, {
      'x-cms-service-token': SERVICE_SECRET,
    });
    return json.ran;
  };
  assert.not.ok((await beat()).includes('link-check: completed'));
  world.advance(3600_000);
  assert.ok((await beat()).includes('link-check: completed'));
  assert.equal(
    (await beat()).filter((line) => line.startsWith('link-check')),
    [],
  );
  assert.is((await world.admin.get(PATH)).json.report.broken.length, 1);
});

test('the progress of a check is there while it runs', async () => {
  await using elsewhere = await openElsewhere();
  await using world = await makeWorld();
  await world.admin.post('/api/admin/site-config', { allowPrivateTargets: true });
  await publish(world, 'hello', `[a](${elsewhere.url}/fine) [b](${elsewhere.url}/slow) [c](${elsewhere.url}/gone)`);
  const progress = async () => (await world.admin.get(`${PATH}/progress`)).json;
  assert.equal(await progress(), { running: false, progress: null });
  const checking = world.admin.post(PATH);
  let seen = await progress();
  while (seen.progress?.asked !== 1) seen = await progress();
  assert.equal([seen.running, seen.progress.documents, seen.progress.links, seen.progress.due], [true, 1, 3, 3]);
  await checking;
  assert.equal(await progress(), { running: false, progress: null });
});

test.run();
