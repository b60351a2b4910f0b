// Deploys over HTTP, with a host in memory: what is answered, what the history keeps, and what the host sees.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { HostError } from '../../src/deploy/providers/host-error.ts';
import { broken } from './fakes.ts';
import { makeDeployWorld, TOKEN } from './world.ts';

test('a deploy is built, sent and published, and the history has it', async () => {
  await using world = await makeDeployWorld();
  const queued = await world.trigger();
  assert.is(queued.status, 'queued');
  const done = await world.ended(queued.id);
  assert.is(done.status, 'success');
  assert.is(done.url, `https://${queued.id}.example`);
  assert.equal(done.files, { total: 1, sent: 1 });
  assert.equal([done.trigger, done.by, done.profile, done.preview], ['manual', 'Ada', 'default', false]);
  assert.is(done.commit, 'c'.repeat(40));
  assert.equal(world.host.steps, ['build', 'plan', 'send', 'publish']);
  assert.equal(await world.list(), [done]);
  const { json } = await world.admin.get('/api/admin/deploys/live');
  assert.equal([json.id, json.url, json.commit], [done.id, done.url, done.commit]);
});

test('an unchanged tree is a success that sends nothing and keeps its address', async () => {
  await using world = await makeDeployWorld();
  const first = await world.deployed();
  const second = await world.deployed();
  assert.is(second.status, 'success');
  assert.equal(second.files, { total: 1, sent: 0 });
  assert.is(second.url, first.url);
  assert.is(world.host.published.length, 1);
});

test('one runs and one is queued; later triggers join the queued one', async () => {
  await using world = await makeDeployWorld();
  const gate = world.host.hold('build');
  const first = await world.trigger();
  await gate.reached;
  const second = await world.trigger();
  const third = await world.trigger();
  assert.is.not(second.id, first.id);
  assert.is(third.id, second.id);
  assert.equal(
    (await world.list()).map(({ status }) => status),
    ['queued', 'building'],
  );
  const other = await world.admin.post('/api/admin/deploy', { profile: 'other' });
  assert.is(other.status, 409);
  gate.open();
  assert.is((await world.ended(first.id)).status, 'success');
  assert.is((await world.ended(second.id)).status, 'success');
  assert.is((await world.list()).length, 2);
});

test('what has to be set is named before anything starts', async () => {
  await using world = await makeDeployWorld({ settings: { deployProvider: '', vercelToken: '' } });
  const { admin } = world;
  const none = await admin.post('/api/admin/deploy');
  assert.is(none.status, 400);
  assert.match(none.json.error, 'deployProvider');
  await admin.post('/api/admin/site-config', { deployProvider: 'vercel' });
  const missing = await admin.post('/api/admin/deploy');
  assert.is(missing.status, 400);
  assert.match(missing.json.error, 'vercelToken');
  assert.equal(
    missing.json.details.map(({ path }: { path: string }) => path),
    ['vercelToken'],
  );
  const { json: shown } = await admin.get('/api/admin/site-config');
  assert.equal(
    shown.problems.map(({ path }: { path: string }) => path),
    ['vercelToken'],
  );
  await admin.post('/api/admin/site-config', { vercelToken: TOKEN });
  assert.is((await admin.post('/api/admin/deploy', { profile: 'unknown' })).status, 400);
  assert.is((await admin.post('/api/admin/deploy', { profile: 'drafts' })).status, 400);
  assert.equal(await world.list(), []);
  assert.equal(world.host.steps, []);
});

test('people who deploy learn where to, and what is still to set', async () => {
  await using world = await makeDeployWorld({ settings: { deployProvider: '', vercelToken: '' } });
  const viewer = await world.user('viewer');
  const target = async () => (await viewer.get('/api/admin/deploys/target')).json;
  assert.is(await target(), null);
  await world.admin.post('/api/admin/site-config', { deployProvider: 'vercel' });
  assert.equal(await target(), {
    ...{ provider: 'vercel', label: 'The fake', hasPreviews: true, hasRollback: true },
    missing: [{ path: 'vercelToken', message: 'is missing' }],
  });
  await world.admin.post('/api/admin/site-config', { vercelToken: TOKEN });
  assert.equal((await target()).missing, []);
  const author = await world.user('author');
  assert.is((await author.get('/api/admin/deploys/target')).status, 403);
});

test('every change of a deploy is reported, from the queue to its end', async () => {
  await using world = await makeDeployWorld();
  const heard: string[] = [];
  const stop = world.site().deploys.listenToRuns(({ status }) => void heard.push(status));
  const gate = world.host.hold('send');
  const first = await world.trigger();
  await gate.reached;
  const second = await world.trigger();
  await world.admin.post(`/api/admin/deploys/${second.id}/cancel`);
  gate.open();
  await world.ended(first.id);
  stop();
  assert.equal(
    heard.filter((status, at) => status !== heard[at - 1]),
    ['queued', 'building', 'uploading', 'queued', 'cancelled', 'uploading', 'success'],
  );
});

test('a host without previews refuses a preview, and one of drafts', async () => {
  await using world = await makeDeployWorld({ host: { hasPreviews: false } });
  for (const body of [{ preview: true }, { preview: true, profile: 'drafts' }]) {
    assert.is((await world.admin.post('/api/admin/deploy', body)).status, 400);
  }
  assert.equal(await world.list(), []);
});

test('a preview leaves what is live alone', async () => {
  await using world = await makeDeployWorld();
  const live = await world.deployed();
  const preview = await world.deployed({ profile: 'drafts', preview: true });
  assert.equal([preview.status, preview.preview], ['success', true]);
  assert.is((await world.admin.get('/api/admin/deploys/live')).json.id, live.id);
});

for (const step of ['build', 'plan', 'send', 'publish'] as const) {
  test(`a deploy can be cancelled during ${step}`, async () => {
    await using world = await makeDeployWorld();
    const live = await world.deployed();
    world.host.files = { 'index.html': 'changed' };
    const gate = world.host.hold(step);
    const { id } = await world.trigger();
    await gate.reached;
    const { status, json } = await world.admin.post(`/api/admin/deploys/${id}/cancel`);
    assert.equal([status, json.deploy.status], [200, 'cancelled']);
    const ended = await world.ended(id);
    assert.match(ended.error!, 'Ada');
    assert.is(world.host.steps.includes('abandon'), step !== 'build');
    assert.is((await world.admin.get('/api/admin/deploys/live')).json.id, live.id);
    assert.is((await world.admin.post(`/api/admin/deploys/${id}/cancel`)).status, 409);
    assert.is((await world.deployed()).status, 'success');
  });
}

test('a queued deploy can be cancelled before it begins', async () => {
  await using world = await makeDeployWorld();
  const gate = world.host.hold('build');
  const first = await world.trigger();
  await gate.reached;
  const second = await world.trigger();
  assert.is((await world.admin.post(`/api/admin/deploys/${second.id}/cancel`)).json.deploy.status, 'cancelled');
  gate.open();
  assert.is((await world.ended(first.id)).status, 'success');
  assert.equal(
    world.host.steps.filter((step) => step === 'build'),
    ['build'],
  );
});

test('a failed deploy says why, cleans up, and leaves the live site alone', async () => {
  await using world = await makeDeployWorld();
  const live = await world.deployed();
  world.host.files = { 'index.html': 'changed' };
  world.host.fail('send', new HostError('refused_token', 'the fake refuses the token; make a new one'));
  const failed = await world.deployed();
  assert.equal([failed.status, failed.error], ['failure', 'the fake refuses the token; make a new one']);
  assert.is(world.host.steps.at(-1), 'abandon');
  world.host.fail('build', broken());
  assert.match((await world.deployed()).error!, 'line 3');
  assert.is((await world.admin.get('/api/admin/deploys/live')).json.id, live.id);
});

test('what ends without an answer while the host publishes may be live, and what the host refused is not', async () => {
  await using world = await makeDeployWorld();
  const outcomeOf = async (error: Error, step: 'send' | 'publish' = 'publish') => {
    world.host.files = { 'index.html': error.message };
    world.host.fail(step, error);
    const { status, mayBeLive } = await world.deployed();
    return [status, mayBeLive];
  };
  assert.equal(await outcomeOf(new HostError('timeout', 'no answer in time')), ['failure', true]);
  assert.equal(await outcomeOf(new HostError('unreachable', 'the line was cut')), ['failure', true]);
  assert.equal(await outcomeOf(new HostError('refused_token', 'the token was refused')), ['failure', false]);
  assert.equal(await outcomeOf(new HostError('timeout', 'no answer while sending'), 'send'), ['failure', false]);
  const gate = world.host.hold('publish');
  world.host.files = { 'index.html': 'cut' };
  const { id } = await world.trigger();
  await gate.reached;
  await world.admin.post(`/api/admin/deploys/${id}/cancel`);
  const cancelled = await world.ended(id);
  assert.equal([cancelled.status, cancelled.mayBeLive], ['cancelled', true]);
  assert.match(cancelled.error!, 'may be live');
  const next = await world.deployed();
  assert.equal([next.status, next.mayBeLive], ['success', false]);
});

test('an unexpected error is a failure that shows nothing of it', async () => {
  await using world = await makeDeployWorld();
  world.host.fail('plan', new TypeError('secret details'));
  const failed = await world.deployed();
  assert.is(failed.status, 'failure');
  assert.not.match(failed.error!, 'secret details');
  assert.ok(world.logged.some((line) => JSON.stringify(line).includes('secret details')));
});

test('what a host would refuse is named at once, before the first request', async () => {
  await using world = await makeDeployWorld();
  world.host.files = { 'a#.html': '1', 'b#.html': '2', 'c.html': '3' };
  const failed = await world.deployed();
  assert.is(failed.status, 'failure');
  assert.match(failed.error!, /a#\.html.*b#\.html/);
  assert.equal(world.host.steps, ['build']);
});

test('an earlier deploy becomes the live one again, as a new entry', async () => {
  await using world = await makeDeployWorld();
  const { admin } = world;
  const first = await world.deployed();
  world.host.files = { 'index.html': 'second' };
  await world.deployed();
  const { status, json } = await admin.post(`/api/admin/deploys/${first.id}/rollback`);
  assert.is(status, 200);
  const done = await world.ended(json.deploy.id);
  assert.equal([done.status, done.trigger, done.commit], ['success', 'rollback', first.commit]);
  assert.is(done.url, `https://host-${first.id}.example`);
  assert.is((await admin.get('/api/admin/deploys/live')).json.id, done.id);
});

test('what cannot become live again is refused', async () => {
  await using world = await makeDeployWorld();
  const preview = await world.deployed({ preview: true });
  world.host.fail('build', broken());
  const failed = await world.deployed();
  for (const { id } of [preview, failed]) {
    assert.is((await world.admin.post(`/api/admin/deploys/${id}/rollback`)).status, 409);
  }
  assert.is((await world.admin.post('/api/admin/deploys/none/rollback')).status, 404);
  const good = await world.deployed();
  world.host.provider.hasRollback = false;
  assert.is((await world.admin.post(`/api/admin/deploys/${good.id}/rollback`)).status, 409);
  assert.is((await world.list()).length, 3);
});

test('the log has the output and the steps, and a stream of it ends with the deploy', async () => {
  await using world = await makeDeployWorld();
  world.host.output = ['line one\nsecret: token-of-the', '-fake-0123456789\n'];
  const gate = world.host.hold('send');
  const { id } = await world.trigger();
  await gate.reached;
  const early = await world.admin.get(`/api/admin/deploys/${id}/log`);
  assert.match(String(early.headers['content-type']), 'text/plain');
  assert.match(early.text, 'line one\nsecret: ***\n');
  const streaming = world.admin.get(`/api/admin/deploys/${id}/log`, { accept: 'text/event-stream' });
  gate.open();
  const { text, headers } = await streaming;
  assert.match(String(headers['content-type']), 'text/event-stream');
  assert.match(text, 'event: log');
  assert.ok(text.endsWith('event: end\ndata: {"status":"success"}\n\n'), text);
  const late = await world.admin.get(`/api/admin/deploys/${id}/log`);
  assert.ok(late.text.startsWith(early.text));
  assert.not.match(late.text + text, TOKEN);
  assert.is((await world.admin.get('/api/admin/deploys/none/log')).status, 404);
});

test('permissions: a viewer reads, an editor deploys, an author does neither', async () => {
  await using world = await makeDeployWorld();
  const [viewer, editor, author] = [await world.user('viewer'), await world.user('editor'), await world.user('author')];
  assert.is((await viewer.get('/api/admin/deploys')).status, 200);
  assert.is((await viewer.post('/api/admin/deploy')).status, 403);
  assert.is((await author.get('/api/admin/deploys')).status, 403);
  assert.is((await world.anonymous.get('/api/admin/deploys')).status, 401);
  const { json } = await editor.post('/api/admin/deploy');
  assert.is((await world.ended(json.deploy.id)).by, 'editor');
  const { entries } = (await world.admin.get('/api/admin/audit')).json;
  assert.ok(entries.some(({ action }: { action: string }) => action === 'deploy.triggered'));
});

test('the history keeps the last 50, and the live one however old it is', async () => {
  await using world = await makeDeployWorld();
  const live = await world.deployed();
  for (let i = 0; i < 51; i++) {
    world.host.fail('build', broken());
    await world.deployed();
  }
  const list = await world.list();
  assert.is(list.length, 50);
  assert.is(list.at(-1)!.id, live.id);
  assert.is((await world.admin.get(`/api/admin/deploys/${list[3]!.id}/log`)).status, 200);
});

test('whether the newest version of a document is live', async () => {
  await using world = await makeDeployWorld();
  const { admin } = world;
  await admin.post('/api/cms/posts', { slug: 'one', status: 'published', data: { title: 'One' } });
  await admin.post('/api/cms/posts', { slug: 'draft', data: { title: 'Draft' } });
  world.host.builds.build = ((build) => async (request) => ({
    ...(await build(request)),
    commit: world.headCommit()!,
  }))(world.host.builds.build);
  const stateOf = async (slug: string): Promise<unknown> =>
    (await admin.get(`/api/admin/deploys/live?collection=posts&slug=${slug}`)).json?.document;
  assert.is((await admin.get('/api/admin/deploys/live')).text, 'null');
  await world.deployed();
  assert.equal([await stateOf('one'), await stateOf('draft')], ['live', 'absent']);
  await admin.patch('/api/cms/posts/one', { data: { title: 'Two' } });
  assert.is(await stateOf('one'), 'older');
  assert.is((await admin.get('/api/admin/deploys/live?collection=posts&slug=none')).status, 404);
  assert.is((await admin.get('/api/admin/deploys/live?collection=posts')).status, 400);
});

test.run();
