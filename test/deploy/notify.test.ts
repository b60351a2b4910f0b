// `deploy-done`: who sends one, and who gets it.
import { get, type IncomingMessage } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, makeWorld, type World } from '../support/world.ts';
import { broken } from './fakes.ts';
import { makeDeployWorld } from './world.ts';

const SECRET = 'notify-secret-of-the-tests';
const PATH = '/api/admin/deploy/notify';
const DONE = { status: 'success', url: 'https://site.example', app: 'my-app', duration: 42 };
const AUTHORIZED = { authorization: `Bearer ${SECRET}` };
const ENV = { DEPLOY_NOTIFY_SECRET: SECRET };

/** Reads a stream of events, until the test is done with it. */
async function listen({ port }: World, { headers }: Client, path = PATH) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers, agent: false }, resolve).on('error', reject);
  });
  let text = '';
  let grown = Promise.withResolvers<void>();
  response.on('data', (chunk) => {
    text += chunk;
    grown.resolve();
    grown = Promise.withResolvers();
  });
  const ended = new Promise<void>((resolve) => response.on('close', resolve));
  response.on('error', () => undefined);
  return {
    response,
    ended,
    async event(number = 1): Promise<Record<string, unknown>> {
      for (;;) {
        const found = [...text.matchAll(/event: deploy-done\ndata: (.*)\n\n/g)];
        if (found.length >= number) return JSON.parse(found[number - 1]![1]!);
        await grown.promise;
      }
    },
    text: () => text,
    [Symbol.dispose]: () => void response.destroy(),
  };
}

test('a CI reports the end of a deploy to every stream of the site', async () => {
  await using world = await makeWorld({ env: ENV });
  using one = await listen(world, world.admin);
  using two = await listen(world, await world.user('viewer'));
  assert.match(String(one.response.headers['content-type']), 'text/event-stream');
  const { status, json } = await world.anonymous.post(PATH, DONE, AUTHORIZED);
  assert.equal([status, json], [200, { ok: true, clients: 2 }]);
  for (const stream of [one, two]) {
    assert.equal(await stream.event(), { ...DONE, at: '2026-01-02T03:04:05.678Z' });
  }
});

test('without the secret, or with another one, a report is refused', async () => {
  await using world = await makeWorld({ env: ENV });
  assert.is((await world.anonymous.post(PATH, DONE)).status, 401);
  for (const authorization of ['Bearer wrong', `Basic ${SECRET}`, SECRET]) {
    assert.is((await world.anonymous.post(PATH, DONE, { authorization })).status, 401);
  }
  assert.is((await world.admin.post(PATH, DONE)).status, 401);
  for (const bad of [{ status: 'done' }, { url: 'javascript:alert(1)' }, { duration: -1 }, { app: 1 }]) {
    assert.is((await world.anonymous.post(PATH, { ...DONE, ...bad }, AUTHORIZED)).status, 400);
  }
  await using closed = await makeWorld();
  for (const headers of [AUTHORIZED, { authorization: 'Bearer ' }, { authorization: 'Bearer undefined' }]) {
    assert.is((await closed.anonymous.post(PATH, DONE, headers)).status, 401);
  }
});

test('a report reaches the site that it is about, and no other', async () => {
  const sites = { other: { collections: [] } };
  await using world = await makeWorld({ env: ENV, sites });
  await world.admin.post('/api/admin/site-config?site=other', { flyAppName: 'their-app' });
  using mine = await listen(world, world.admin, `${PATH}?site=default`);
  using theirs = await listen(world, world.admin, `${PATH}?site=other`);
  const post = async (app: string, query = ''): Promise<number> =>
    (await world.anonymous.post(PATH + query, { ...DONE, app }, AUTHORIZED)).json.clients;
  assert.is(await post('unknown'), 0);
  assert.is(await post('their-app'), 1);
  assert.is(await post('default'), 1);
  assert.is(await post('their-app', '?site=default'), 1);
  assert.is((await world.anonymous.post(`${PATH}?site=none`, DONE, AUTHORIZED)).status, 404);
  assert.is((await theirs.event()).app, 'their-app');
  await mine.event(2);
  assert.is(mine.text().split('event:').length, 3);
  assert.is(theirs.text().split('event:').length, 2);
});

test('the ends of our own deploys are reported to streams and webhooks', async () => {
  const webhook = { id: 'w', url: 'https://hooks.example/path', secret: 'whsec_AAAA', events: ['*'] };
  await using world = await makeDeployWorld({ settings: { webhooks: [webhook] } });
  using stream = await listen(world, world.admin);
  const done = await world.deployed();
  const event = await stream.event(1);
  assert.equal([event.status, event.url, event.app], ['success', done.url, 'default']);
  world.host.fail('build', broken());
  await world.deployed();
  assert.is((await stream.event(2)).status, 'failure');
  const { deliveries } = (await world.admin.get('/api/admin/webhooks/deliveries')).json;
  assert.equal(
    deliveries.map((delivery: { event: string }) => delivery.event),
    ['deploy.failure', 'deploy.started', 'deploy.success', 'deploy.started'],
  );
});

test('a stream ends with the session that opened it, and strangers get none', async () => {
  await using world = await makeWorld({ env: ENV });
  assert.is((await world.anonymous.get(PATH)).status, 401);
  assert.is((await (await world.user('author')).get(PATH)).status, 403);
  const viewer = await world.user('viewer');
  using stream = await listen(world, viewer);
  await viewer.post('/api/auth/logout');
  // Sent to it, and not shown: it may not go on.
  await world.anonymous.post(PATH, DONE, AUTHORIZED);
  await stream.ended;
  assert.not.match(stream.text(), 'deploy-done');
});

test.run();
