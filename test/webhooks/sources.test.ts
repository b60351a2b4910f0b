// All sources of the events that a site's webhooks receive.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { eventually } from '../support/process.ts';
import { makeReceiver, type Receiver } from '../support/receiver.ts';
import { type Client, makeWorld, SERVICE_SECRET } from '../support/world.ts';

async function configure(admin: Client, receiver: Receiver): Promise<void> {
  const webhooks = [{ id: 'one', url: receiver.url, secret: 's', events: ['*'] }];
  const reply = await admin.post('/api/admin/site-config', { allowPrivateTargets: true, webhooks });
  assert.is(reply.status, 200, reply.text);
}

async function ok(reply: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await reply;
  assert.ok(status < 300, text);
}

const eventsOf = ({ received }: Receiver): string[] =>
  received.map(({ json }) => `${json.event} ${json.data.slug ?? json.data.form ?? ''}`.trim()).sort();

test('a backup and its restoration are reported: the backup itself, and each document that changes', async () => {
  await using world = await makeWorld({ now: 'real' });
  await using receiver = await makeReceiver();
  const { admin } = world;
  for (const slug of ['changed', 'removed', 'same']) {
    await ok(admin.post('/api/cms/posts', { slug, data: { title: 'Before' }, status: 'published' }));
  }
  await configure(admin, receiver);
  const { json: snapshot } = await admin.post('/api/admin/backups', {});
  await receiver.count(1);
  await ok(admin.patch('/api/cms/posts/changed', { data: { title: 'After' } }));
  await ok(admin.delete('/api/cms/posts/removed'));
  await ok(admin.post('/api/cms/posts', { slug: 'new', data: { title: 'New' } }));
  await receiver.count(4);
  receiver.received.length = 0;
  const { json } = await admin.get('/api/admin/backups');
  await ok(admin.post(`/api/admin/backups/${snapshot.id ?? json.snapshots[0].id}/restore`, {}));
  // The restoration makes a backup of the state before it.
  await receiver.count(4);
  assert.equal(eventsOf(receiver), [
    'backup.completed',
    'content.created removed',
    'content.deleted new',
    'content.updated changed',
  ]);
  const changed = receiver.received.find(({ json: { data } }) => data.slug === 'changed');
  assert.is(changed?.json.data.document.data.title, 'Before');
});

test('each document of an atomic bulk request is reported, and each that a rename takes along', async () => {
  const posts = { name: 'posts', fields: [{ name: 'related', type: 'relation' as const, collection: 'posts' }] };
  await using world = await makeWorld({ now: 'real', config: { collections: [posts] } });
  await using receiver = await makeReceiver();
  const { admin } = world;
  for (const slug of ['a', 'b']) await ok(admin.post('/api/cms/posts', { slug, data: {} }));
  await ok(admin.post('/api/cms/posts', { slug: 'c', data: { related: 'b' } }));
  await configure(admin, receiver);
  const operations = [
    { op: 'delete', id: 'a' },
    { op: 'create', slug: 'new', data: {} },
    { op: 'update', id: 'b', slug: 'moved', updateReferences: true },
  ];
  await ok(admin.post('/api/cms/posts/bulk', { operations, atomic: true }));
  await receiver.count(4);
  const expected = ['content.created new', 'content.deleted a', 'content.renamed moved', 'content.updated c'];
  assert.equal(eventsOf(receiver), expected);
  receiver.received.length = 0;
  await ok(admin.patch('/api/cms/posts/moved', { slug: 'again', updateReferences: true }));
  await receiver.count(2);
  assert.equal(eventsOf(receiver), ['content.renamed again', 'content.updated c']);
});

test('a scheduled publication is reported like a manual one, with the system as actor', async () => {
  await using world = await makeWorld();
  await using receiver = await makeReceiver();
  await configure(world.admin, receiver);
  const publishAt = new Date(Date.parse('2026-01-02T03:04:05.678Z') + 60_000).toISOString();
  await ok(world.admin.post('/api/cms/posts', { slug: 'later', data: { title: 'T' }, publishAt }));
  await receiver.count(1);
  world.advance(120_000);
  const service = world.client({ 'x-cms-service-token': SERVICE_SECRET });
  await service.post('/api/cms/heartbeat');
  await service.get('/api/cms/heartbeat');
  await receiver.count(2);
  const { event, actor, data } = receiver.received[1]?.json ?? {};
  assert.equal([event, actor.kind, data.slug, data.status], ['content.published', 'system', 'later', 'published']);
});

test('uploads and deletions of media files are reported', async () => {
  await using world = await makeWorld({ now: 'real' });
  await using receiver = await makeReceiver();
  await configure(world.admin, receiver);
  const body = [
    '--x',
    'Content-Disposition: form-data; name="folder"',
    '',
    'notes',
    '--x',
    'Content-Disposition: form-data; name="file"; filename="Résumé.txt"',
    'Content-Type: text/plain',
    '',
    'plain text',
    '--x--',
    '',
  ].join('\r\n');
  const uploaded = await world.admin.request('POST', '/api/upload', body, {
    'content-type': 'multipart/form-data; boundary=x',
  });
  assert.is(uploaded.status, 200, uploaded.text);
  await receiver.count(1);
  const [first] = receiver.received;
  assert.is(first?.json.event, 'media.uploaded');
  assert.is(first?.json.data.url, uploaded.json.url);
  assert.is(first?.json.data.folder, 'notes');
  const path = uploaded.json.url.replace('/uploads/', '/api/media/');
  await ok(world.admin.patch(path, { alt: 'Words' }));
  await ok(world.admin.delete(path));
  await receiver.count(2);
  assert.is(receiver.received[1]?.json.event, 'media.deleted');
  assert.is(receiver.received[1]?.json.data.url, uploaded.json.url);
});

test('a submitted form is reported, with its data', async () => {
  const config = {
    collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text' as const }] }],
    forms: [{ name: 'contact', label: 'Contact', fields: [{ name: 'text', label: 'Text', type: 'text' as const }] }],
  };
  await using world = await makeWorld({ config });
  await using receiver = await makeReceiver();
  await configure(world.admin, receiver);
  await ok(world.anonymous.post('/api/forms/contact', { text: 'Hello' }));
  await receiver.count(1);
  const [one] = receiver.received;
  assert.is(one?.json.event, 'form.submitted');
  assert.match(one?.body.toString('utf8') ?? '', /Hello/);
  await eventually(async () => {
    const { json } = await world.admin.get('/api/admin/webhooks/deliveries?event=form.submitted&state=delivered');
    assert.is(json.total, 1);
  }, 5000);
});

test.run();
