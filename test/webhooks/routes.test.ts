// Webhooks from the outside: changes made through the API arrive, signed, and the log of deliveries lists them.
import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../support/process.ts';
import { makeReceiver, type Received, type Receiver } from '../support/receiver.ts';
import { type Client, CONFIG, makeWorld, type World } from '../support/world.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

async function configure(admin: Client, webhooks: object[], more: object = {}): Promise<void> {
  const reply = await admin.post('/api/admin/site-config', { allowPrivateTargets: true, webhooks, ...more });
  assert.is(reply.status, 200, reply.text);
}

function hookTo(receiver: Receiver, more: object = {}): object {
  return { id: 'one', url: receiver.url, secret: SECRET, events: ['*'], ...more };
}

/** Verifies as a receiver would; throws if a receiver would refuse. */
function verify({ headers, body }: Received, secret = SECRET): void {
  new Webhook(secret).verify(body.toString('utf8'), headers as Record<string, string>);
  assert.is(headers['x-cms-signature'], `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  assert.is(headers['x-cms-delivery'], headers['webhook-id']);
  assert.is(headers['x-cms-timestamp'], headers['webhook-timestamp']);
}

async function create(client: Client, slug: string, more: object = {}): Promise<void> {
  const reply = await client.post('/api/cms/posts', { slug, data: { title: slug }, ...more });
  assert.is(reply.status, 200, reply.text);
}

const deliveriesOf = async ({ admin }: World, query = '') =>
  (await admin.get(`/api/admin/webhooks/deliveries${query}`)).json;

test('creating, changing, renaming and deleting a document is reported in that order, signed both ways', async () => {
  await using world = await makeWorld({ now: 'real' });
  await using receiver = await makeReceiver();
  await create(world.admin, 'before');
  await configure(world.admin, [hookTo(receiver)]);

  await create(world.admin, 'hello', { status: 'published' });
  await world.admin.patch('/api/cms/posts/hello', { data: { body: 'Text' } });
  await world.admin.put('/api/content/posts/hello/_fieldMeta/body/lock', {});
  await world.admin.patch('/api/cms/posts/hello', { slug: 'moved' });
  await world.admin.patch('/api/cms/posts/moved', { status: 'draft' });
  await world.admin.patch('/api/cms/posts/moved', { status: 'archived' });
  await world.admin.patch('/api/cms/posts/moved', { status: 'published' });
  await world.admin.delete('/api/cms/posts/moved');
  const { json: trash } = await world.admin.get('/api/admin/trash');
  const { commit } = trash.documents[0];
  assert.is((await world.admin.post('/api/cms/posts/moved/restore', { commit })).status, 200);
  await receiver.count(8);

  for (const one of receiver.received) verify(one);
  assert.equal(
    receiver.received.map(({ json }) => json.event),
    [
      'content.created',
      'content.updated',
      'content.renamed',
      'content.unpublished',
      'content.archived',
      'content.published',
      'content.deleted',
      'content.restored',
    ],
  );
  const [created, updated, renamed, , , , deleted] = receiver.received.map(({ json }) => json);
  const [event] = (await world.events()).filter(({ subject }) => subject.startsWith('posts/hello: create'));
  assert.equal(Object.keys(created), ['event', 'at', 'site', 'actor', 'data']);
  assert.is(created.site, 'default');
  assert.equal(created.actor, { kind: 'user', name: 'Ada' });
  assert.is(created.data.commit, event?.commit);
  assert.is(created.data.changeId, event?.trailers['Change-Id']);
  assert.is(created.data.status, 'published');
  assert.is(created.data.document.data.title, 'hello');
  assert.equal(updated.data.fields, ['body']);
  assert.is(updated.data.document.data.body, 'Text');
  assert.is(renamed.data.slug, 'moved');
  assert.is(renamed.data.previousSlug, 'hello');
  assert.is(renamed.data.document._fieldMeta, undefined);
  assert.is(deleted.data.slug, 'moved');
  assert.is(deleted.data.document.slug, 'moved');
  assert.is(deleted.data.status, 'published');

  const [first] = receiver.received;
  assert.is(first?.method, 'POST');
  assert.is(first?.headers['x-cms-event'], 'content.created');
  assert.match(first?.headers['user-agent'] ?? '', /^Colophon\/\d/);
  assert.is(first?.headers['content-type'], 'application/json');
});

test('a failing receiver gets the same delivery again, signed anew, and later changes wait', async () => {
  await using world = await makeWorld();
  await using receiver = await makeReceiver(() => 500);
  await configure(world.admin, [hookTo(receiver)]);
  await create(world.admin, 'a');
  await world.admin.patch('/api/cms/posts/a', { data: { body: 'Text' } });
  await receiver.count(1);
  await eventually(async () => assert.is((await deliveriesOf(world)).deliveries[1].attempts, 1), 5000);

  const { deliveries, total } = await deliveriesOf(world);
  assert.is(total, 2);
  assert.equal(
    deliveries.map(({ event, state, attempts, status }: Record<string, unknown>) => [event, state, attempts, status]),
    [
      ['content.updated', 'pending', 0, null],
      ['content.created', 'pending', 1, 500],
    ],
  );
  assert.is(deliveries[1].error, 'answered 500');
  receiver.answer = () => 200;
  world.advance(6_000);
  world.site().outbox.wake();
  await receiver.count(3);

  const [refused, repeated, next] = receiver.received;
  assert.is(repeated?.headers['webhook-id'], refused?.headers['webhook-id']);
  assert.equal(repeated?.body, refused?.body);
  assert.is(Number(repeated?.headers['webhook-timestamp']), Number(refused?.headers['webhook-timestamp']) + 6);
  assert.not.equal(repeated?.headers['webhook-signature'], refused?.headers['webhook-signature']);
  assert.is(next?.json.event, 'content.updated');
  assert.equal((await deliveriesOf(world, '?state=pending')).total, 0);
});

test('only the events that a webhook names reach it, and each webhook has its own deliveries', async () => {
  await using world = await makeWorld();
  await using all = await makeReceiver();
  await using some = await makeReceiver();
  await configure(world.admin, [
    hookTo(all),
    hookTo(some, { id: 'two', events: ['content.published', 'form.submitted'] }),
  ]);
  await create(world.admin, 'a');
  await world.admin.patch('/api/cms/posts/a', { status: 'published' });
  await world.site().webhooks.emit({
    event: 'form.submitted',
    actor: { kind: 'visitor' },
    data: { form: 'contact' },
  });
  await Promise.all([all.count(3), some.count(2)]);

  assert.equal(some.received.map(({ json }) => json.event).sort(), ['content.published', 'form.submitted']);
  const form = some.received.find(({ json }) => json.event === 'form.submitted');
  assert.equal(form?.json, {
    event: 'form.submitted',
    at: '2026-01-02T03:04:05.678Z',
    site: 'default',
    actor: { kind: 'visitor' },
    data: { form: 'contact' },
  });
  await eventually(async () => assert.is((await deliveriesOf(world, '?state=delivered')).total, 5), 5000);
  assert.is((await deliveriesOf(world, '?webhook=two')).total, 2);
  assert.is((await deliveriesOf(world, '?webhook=two&event=form.submitted')).total, 1);
  const page = await deliveriesOf(world, '?limit=2&offset=1');
  assert.is(page.deliveries.length, 2);
  assert.is(page.total, 5);
});

test('reading the body of a delivery and redelivering it need the permission to read its content', async () => {
  const forms = [{ name: 'contact', fields: [{ name: 'name', type: 'text' as const }] }];
  await using world = await makeWorld({ config: { ...CONFIG, forms } });
  await using receiver = await makeReceiver();
  await configure(world.admin, [hookTo(receiver)]);
  await create(world.admin, 'a-draft');
  await world.anonymous.post('/api/forms/contact', { name: 'Eve' });
  await receiver.count(2);
  const settings = ['org:settings:read', 'org:settings:write'] as const;
  const deliveries: { id: string; event: string }[] = (await deliveriesOf(world)).deliveries;
  const seenBy = async (client: Client) => {
    const seen: string[] = [];
    for (const { id, event } of deliveries) {
      const { status, json } = await client.get(`/api/admin/webhooks/deliveries/${id}`);
      assert.is(status, 200);
      const again = await client.post(`/api/admin/webhooks/deliveries/${id}/redeliver`);
      seen.push(`${event} ${'body' in json} ${again.status}`);
    }
    return seen.sort();
  };
  assert.equal(await seenBy(await world.token([...settings])), [
    'content.created false 403',
    'form.submitted false 403',
  ]);
  const drafts = await world.token([...settings, 'content:read-published', 'forms:read']);
  assert.equal(await seenBy(drafts), ['content.created false 403', 'form.submitted true 200']);
  const reader = await world.token([...settings, 'content:read']);
  assert.equal(await seenBy(reader), ['content.created true 200', 'form.submitted false 403']);
  const editor = await world.user('editor');
  assert.equal(await seenBy(editor), ['content.created true 403', 'form.submitted true 403']);
});

test('a delivery is shown with its body and redelivered under its id', async () => {
  await using world = await makeWorld();
  await using receiver = await makeReceiver();
  await configure(world.admin, [hookTo(receiver, { url: `${receiver.url}?token=hush` })]);
  await create(world.admin, 'a');
  await receiver.count(1);
  await eventually(async () => assert.is((await deliveriesOf(world)).deliveries[0].state, 'delivered'), 5000);

  const [{ id, url }] = (await deliveriesOf(world)).deliveries;
  assert.is(url, `${new URL(receiver.url).origin}/…`);
  const shown = await world.admin.get(`/api/admin/webhooks/deliveries/${id}`);
  assert.equal(shown.json.body, receiver.received[0]?.json);
  const again = await world.admin.post(`/api/admin/webhooks/deliveries/${id}/redeliver`);
  assert.is(again.status, 200);
  await receiver.count(2);
  assert.is(receiver.received[1]?.headers['webhook-id'], id);
  await eventually(async () => assert.is((await deliveriesOf(world)).deliveries[0].attempts, 2), 5000);
  for (const path of ['/nothing', '/nothing/redeliver']) {
    const method = path.endsWith('redeliver') ? 'POST' : 'GET';
    const reply = await world.admin.request(method, `/api/admin/webhooks/deliveries${path}`);
    assert.is(reply.status, 404, path);
  }
  assert.is((await world.admin.get('/api/admin/webhooks/deliveries?limit=0')).status, 400);
  assert.not.match(JSON.stringify(world.logged), /hush|whsec_/);
});

test('reading deliveries needs org:settings:read, redelivering org:settings:write', async () => {
  await using world = await makeWorld();
  await using receiver = await makeReceiver();
  await configure(world.admin, [hookTo(receiver)]);
  const path = '/api/admin/webhooks/deliveries';
  const reader = await world.token(['org:settings:read']);
  const writer = await world.token(['org:settings:write']);
  const stranger = await world.token(['content:read']);
  assert.is((await world.anonymous.get(path)).status, 401);
  assert.is((await stranger.get(path)).status, 403);
  assert.is((await reader.get(path)).status, 200);
  assert.is((await reader.post(`${path}/x/redeliver`)).status, 403);
  assert.is((await writer.post(`${path}/x/redeliver`)).status, 404);
  assert.is((await reader.post('/api/admin/webhooks/one/test')).status, 403);
  assert.is((await writer.post('/api/admin/webhooks/two/test')).status, 404);
  const ping = await writer.post('/api/admin/webhooks/one/test');
  assert.is(ping.status, 200);
  await receiver.count(1);
  assert.is(receiver.received[0]?.json.event, 'ping');
});

test('a changed URL and secret apply to waiting deliveries', async () => {
  await using world = await makeWorld({ now: 'real' });
  await using old = await makeReceiver(() => 503);
  await using fresh = await makeReceiver();
  await configure(world.admin, [hookTo(old)]);
  await create(world.admin, 'a');
  await old.count(1);
  await eventually(async () => assert.is((await deliveriesOf(world)).deliveries[0].attempts, 1), 5000);
  const secret = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
  await configure(world.admin, [hookTo(fresh, { secret })]);
  const [{ id }] = (await deliveriesOf(world)).deliveries;
  await world.admin.post(`/api/admin/webhooks/deliveries/${id}/redeliver`);
  await fresh.count(1);
  verify(fresh.received[0]!, secret);
  assert.is(old.received.length, 1);
});

test('removing a webhook removes its deliveries', async () => {
  await using world = await makeWorld();
  await using gone = await makeReceiver(() => 500);
  await using kept = await makeReceiver(() => 500);
  await configure(world.admin, [hookTo(gone), hookTo(kept, { id: 'two' })]);
  await create(world.admin, 'a');
  await Promise.all([gone.count(1), kept.count(1)]);
  await configure(world.admin, [hookTo(kept, { id: 'two' })]);
  await eventually(async () => assert.is((await deliveriesOf(world)).total, 1), 5000);
  assert.is((await deliveriesOf(world)).deliveries[0].webhookId, 'two');
  await world.restart();
  assert.is((await deliveriesOf(world)).total, 1);
});

test('a private address is refused unless the site allows it, and 410 and redirects count as failures', async () => {
  await using world = await makeWorld();
  await using receiver = await makeReceiver();
  await configure(world.admin, [hookTo(receiver)], { allowPrivateTargets: false });
  await create(world.admin, 'a');
  await eventually(async () => assert.is((await deliveriesOf(world)).deliveries[0].attempts, 1), 5000);
  const [refused] = (await deliveriesOf(world)).deliveries;
  assert.match(refused.error, /^private_address/);
  assert.is(receiver.received.length, 0);

  receiver.answer = () => 410;
  await configure(world.admin, [hookTo(receiver)]);
  await world.admin.post(`/api/admin/webhooks/deliveries/${refused.id}/redeliver`);
  await eventually(async () => assert.is((await deliveriesOf(world)).deliveries[0].state, 'failed'), 5000);
  receiver.answer = (_, response) => void response.writeHead(302, { location: `${receiver.url}/there` }).end();
  await world.admin.post(`/api/admin/webhooks/deliveries/${refused.id}/redeliver`);
  await eventually(async () => assert.is((await deliveriesOf(world)).deliveries[0].status, 302), 5000);
  assert.is((await deliveriesOf(world)).deliveries[0].state, 'pending');
  assert.is(receiver.received.length, 2);
});

test('each of two sites has its own webhooks', async () => {
  const config = { collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text' as const }] }] };
  await using world = await makeWorld({ env: { CMS_ALLOW_PRIVATE_TARGETS: 'on' }, sites: { other: config } });
  await using first = await makeReceiver();
  await using second = await makeReceiver();
  for (const [site, receiver] of [
    ['default', first],
    ['other', second],
  ] as const) {
    const body = { allowPrivateTargets: true, webhooks: [hookTo(receiver)] };
    assert.is((await world.admin.post(`/api/admin/site-config?site=${site}`, body)).status, 200);
    await world.admin.post(`/api/cms/posts?site=${site}`, { slug: `of-${site}`, data: { title: 'T' } });
  }
  await Promise.all([first.count(1), second.count(1)]);
  assert.equal([first.received[0]?.json.site, first.received[0]?.json.data.slug], ['default', 'of-default']);
  assert.equal([second.received[0]?.json.site, second.received[0]?.json.data.slug], ['other', 'of-other']);
});

test.run();
