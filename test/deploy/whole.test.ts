// From a document to the host: real builds, real providers, recorders that refuse what the hosts refuse.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Deploy } from '../../src/deploy/deploy.ts';
import { startNetlify } from '../support/hosts/netlify.ts';
import { type Client, makeWorld } from '../support/world.ts';

async function deploy({ post, get }: Client, body?: object): Promise<{ deploy: Deploy; log: string }> {
  const { status, json, text } = await post('/api/admin/deploy', body);
  if (status !== 200) throw new Error(text);
  const path = `/api/admin/deploys/${json.deploy.id}`;
  await get(`${path}/log`, { accept: 'text/event-stream' });
  return { deploy: (await get(path)).json, log: (await get(`${path}/log`)).text };
}

test('published documents are built and go live on the host; drafts do not leave', async () => {
  await using host = await startNetlify();
  await using world = await makeWorld();
  const { admin } = world;
  const set = await admin.post('/api/admin/site-config', { deployProvider: 'netlify', ...host.settings });
  assert.is(set.status, 200, set.text);
  await admin.post('/api/cms/posts', { slug: 'one', status: 'published', data: { title: 'The first one' } });
  await admin.post('/api/cms/posts', { slug: 'secret-plan', data: { title: 'The secret plan' } });
  const first = await deploy(admin);
  assert.is(first.deploy.status, 'success', first.log);
  assert.is(first.deploy.commit, world.headCommit());
  assert.match(host.live()!['blog/one/index.html']!, 'The first one');
  assert.not.match(JSON.stringify(host.live()), /secret.plan/);
  assert.not.match(first.log, `${host.settings.netlifyToken}`);

  const again = await deploy(admin);
  assert.equal([again.deploy.status, again.deploy.files.sent], ['success', 0], again.log);
  assert.is(again.deploy.url, first.deploy.url);

  await admin.post('/api/cms/posts', { slug: 'two', status: 'published', data: { title: 'The second one' } });
  const second = await deploy(admin);
  assert.match(host.live()!['blog/two/index.html']!, 'The second one');
  assert.ok(second.deploy.files.sent < second.deploy.files.total, second.log);

  const back = await admin.post(`/api/admin/deploys/${first.deploy.id}/rollback`);
  await admin.get(`/api/admin/deploys/${back.json.deploy.id}/log`, { accept: 'text/event-stream' });
  assert.not.ok(host.live()!['blog/two/index.html']);
});

test.run();
