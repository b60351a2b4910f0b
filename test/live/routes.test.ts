// The one event stream of open pages over HTTP: what comes, to whom, and after a lost connection.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AGENTS, makeAgentWorld, TASK, WRITES } from '../agents/world.ts';
import { VOICE } from '../brand-voice/world.ts';
import { makeReceiver } from '../support/receiver.ts';
import { type Client, makeWorld, PASSWORD } from '../support/world.ts';
import { type Heard, has, listen, overhear, soon, untilAll } from './heard.ts';

test('a stream begins with hello, then brings each change with its title and author', async () => {
  await using world = await makeWorld({ now: 'real' });
  await world.admin.post('/api/cms/posts', { slug: 'before', data: { title: 'Before' } });
  const heard = listen(world, world.admin, {}, has('change'));
  await new Promise((resume) => setTimeout(resume, 300));
  await world.admin.post('/api/cms/posts', { slug: 'after', data: { title: 'After' } });
  const [hello, change] = await heard;
  assert.is(hello?.event, 'hello');
  assert.match(String(hello?.data.version), /^\d/);
  assert.equal([change?.data.slug, change?.data.title, change?.id], ['after', 'After', change?.data.commit]);
  assert.is((change!.data.author as { name: string }).name, 'Ada');
  // A client that comes back misses nothing.
  await world.admin.post('/api/cms/posts', { slug: 'missed', data: { title: 'Missed' } });
  const later = await listen(world, world.admin, { 'last-event-id': change!.id! }, has('change'));
  assert.is(later.find(({ event }) => event === 'change')?.data.slug, 'missed');
  // One whose last commit the log does not have starts anew instead of failing for ever.
  const anew = await listen(world, world.admin, { 'last-event-id': 'f'.repeat(40) }, has('hello'));
  assert.is(anew[0]?.event, 'hello');
});

test('presence goes to everybody who listens, and to those who come later', async () => {
  await using world = await makeWorld({ now: 'real' });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' } });
  const say = (client: Client, body: object) => client.post('/api/admin/presence', body);
  const first = listen(world, world.admin, {}, has('presence'));
  await new Promise((resume) => setTimeout(resume, 300));
  const reply = await say(world.admin, { collection: 'posts', slug: 'a' });
  assert.equal([reply.status, reply.json.people.map(({ name }: { name: string }) => name)], [200, ['Ada']]);
  assert.equal((await first).at(-1)?.data, { collection: 'posts', slug: 'a', people: reply.json.people });
  const later = await listen(world, await world.user('viewer'), {}, has('presence'));
  assert.equal(later.at(-1)?.data.people, reply.json.people);
  assert.is((await say(world.admin, { collection: 'posts', slug: 'none' })).status, 404);
  assert.is((await say(world.admin, { collection: 'none', slug: 'a' })).status, 404);
  assert.is((await say(world.admin, { slug: 'a' })).status, 400);
  assert.is((await say(world.anonymous, { collection: 'posts', slug: 'a' })).status, 401);
  assert.equal((await say(world.admin, { collection: 'posts', slug: 'a', open: false })).json.people, []);
});

test('strangers and tokens without content:read hear nothing', async () => {
  await using world = await makeWorld();
  assert.is((await world.anonymous.get('/api/admin/events')).status, 401);
  assert.is((await (await world.token(['forms:read'])).get('/api/admin/events')).status, 403);
});

test('submissions go to those who may read them, and say nothing of what was sent', async () => {
  const contact = { name: 'contact', label: 'Contact', fields: [{ name: 'text', type: 'text' as const }] };
  await using world = await makeWorld({ now: 'real', config: { collections: [], forms: [contact] } });
  const count = (wanted: number) => (all: Heard[]) =>
    all.filter(({ event }) => event === 'submission').length >= wanted;
  const heard = listen(world, world.admin, {}, count(3));
  const viewer = await world.user('viewer');
  const others: Heard[] = [];
  void listen(world, viewer, {}, (all) => {
    others.splice(0, others.length, ...all);
    return false;
  }).catch(() => undefined); // nothing more comes
  await new Promise((resume) => setTimeout(resume, 500));
  const { id } = (await world.anonymous.post('/api/forms/contact', { text: 'secret' })).json;
  await world.admin.patch(`/api/admin/forms/contact/submissions/${id}`, { status: 'read' });
  await world.admin.delete(`/api/admin/forms/contact/submissions/${id}`);
  const news = (await heard).filter(({ event }) => event === 'submission').map(({ data }) => data);
  assert.equal(news, [
    { form: 'contact', id, change: 'received', status: 'new' },
    { form: 'contact', id, change: 'changed', status: 'read' },
    { form: 'contact', id, change: 'removed', status: 'read' },
  ]);
  assert.ok(others.some(({ event }) => event === 'hello'));
  assert.not(others.some(({ event }) => event === 'submission'));
});

test('changes of agents go to those who may read them, runs included', async () => {
  await using admin = await makeAgentWorld(WRITES);
  const { world } = admin;
  const [own, editor, viewer] = [world.admin, await world.user('editor'), await world.user('viewer')].map((client) =>
    overhear(world, client),
  );
  await untilAll([own, editor, viewer], 'hello');
  const id = await admin.agent();
  assert.is((await world.admin.post(`${AGENTS}/${id}/run`, TASK)).json.status, 'completed');
  await world.admin.delete(`${AGENTS}/${id}`);
  const changesOf = (heard: Heard[]) => heard.filter(({ event }) => event === 'agent').map(({ data }) => data);
  await soon(() => assert.is(changesOf(editor!).at(-1)?.change, 'removed'));
  assert.equal(changesOf(own!), changesOf(editor!));
  const changes = changesOf(own!);
  assert.equal(
    [changes[0], changes.at(-1)],
    [
      { id, change: 'added' },
      { id, change: 'removed' },
    ],
  );
  // A run begins and ends.
  assert.ok(changes.filter(({ change }) => change === 'changed').length >= 2);
  assert.equal(changesOf(viewer!), []);
});

test('a saved brand voice goes to admins and editors, and neither to other roles nor to tokens', async () => {
  await using world = await makeWorld({ now: 'real' });
  const [own, editor, author, token] = [
    world.admin,
    await world.user('editor'),
    await world.user('author'),
    await world.token(['content:read']),
  ].map((client) => overhear(world, client));
  await untilAll([own, editor, author, token], 'hello');
  const { json } = await world.admin.post('/api/cms/brand-voice', VOICE);
  await untilAll([own, editor], 'voice');
  assert.equal(
    editor!.filter(({ event }) => event === 'voice').map(({ data }) => data),
    [{ activeId: json.id }],
  );
  // Later events came, and this one did not.
  await world.admin.post('/api/cms/posts', { slug: 'later', data: { title: 'Later' } });
  await untilAll([author, token], 'change');
  assert.not([...author!, ...token!].some(({ event }) => event === 'voice'));
});

test('a chat that goes on is heard by its user in every tab, and by nobody else', async () => {
  await using world = await makeWorld({ now: 'real' });
  const editor = await world.user('editor');
  const clients = [editor, editor, world.admin, await world.token(['content:read'])];
  const [own, tab, admin, token] = clients.map((client) => overhear(world, client));
  await untilAll([own, tab, admin, token], 'hello');
  const { user } = (await editor.get('/api/admin/profile')).json;
  const at = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  await world.site().chat.conversations.save(`user-${user.id}`, {
    id: 'one',
    title: 'One',
    ...at,
    messages: [],
    confirmations: [],
    hasRead: false,
  });
  await editor.delete('/api/cms/chat/conversations/one');
  await editor.delete('/api/cms/chat/conversations');
  await world.admin.post('/api/cms/posts', { slug: 'later', data: { title: 'Later' } });
  await untilAll([own, tab, admin, token], 'change');
  const chatsOf = (heard: Heard[]) => heard.filter(({ event }) => event === 'conversation').map(({ data }) => data);
  for (const heard of [own!, tab!]) {
    await soon(() =>
      assert.equal(chatsOf(heard), [
        { id: 'one', change: 'saved' },
        { id: 'one', change: 'removed' },
        { id: null, change: 'removed' },
      ]),
    );
  }
  assert.equal([...chatsOf(admin!), ...chatsOf(token!)], []);
});

test('changes of the team and its sessions go to those who manage it, as far as they may see the user', async () => {
  const site = { collections: [] };
  await using world = await makeWorld({ now: 'real', config: site, sites: { other: site } });
  const limited = await world.user('admin', ['default']);
  const [own, ofSite, editor] = [world.admin, limited, await world.user('editor')].map((one) => overhear(world, one));
  await untilAll([own, ofSite, editor], 'hello');
  const add = async (email: string, sites: string[]) =>
    (await world.admin.post('/api/admin/users', { email, name: email, role: 'editor', sites, password: PASSWORD })).json
      .id as string;
  const elsewhere = await add('else@example.com', ['other']);
  const here = await add('here@example.com', ['default']);
  const ids = (heard: Heard[] = []) => heard.filter(({ event }) => event === 'team').map(({ data }) => data.id);
  await soon(() => assert.equal([ids(own), ids(ofSite)], [[elsewhere, here], [here]]));
  await world.anonymous.post('/api/auth/login', { email: 'here@example.com', password: PASSWORD });
  await world.admin.patch(`/api/admin/users/${here}`, { role: 'viewer' });
  await world.admin.delete(`/api/admin/users/${here}`);
  await soon(() => assert.equal(ids(ofSite), [here, here, here, here]));
  // What only its user sees is no news.
  await world.admin.patch('/api/admin/profile/preferences', { columns: ['a'] });
  await world.admin.patch(`/api/admin/users/${elsewhere}`, { name: 'Else' });
  await soon(() => assert.equal(ids(own), [elsewhere, here, here, here, here, elsewhere]));
  assert.equal(ids(editor), []);
});

test('each attempt of a revalidation goes to those who may read deploys, once it is listed', async () => {
  await using receiver = await makeReceiver(() => 204);
  const posts = { name: 'posts', urlPrefix: '/blog', fields: [{ name: 'title', type: 'text' as const }] };
  await using world = await makeWorld({ now: 'real', config: { collections: [posts] } });
  const settings = { revalidateUrl: receiver.url, revalidateSecret: 'secret', allowPrivateTargets: true };
  assert.is((await world.admin.post('/api/admin/site-config', settings)).status, 200);
  const author = overhear(world, await world.user('author'));
  const heard = listen(world, await world.user('viewer'), {}, has('revalidation'));
  await untilAll([author], 'hello');
  await world.admin.post('/api/cms/posts', { slug: 'a', status: 'published', data: { title: 'A' } });
  const [sent] = (await heard).filter(({ event }) => event === 'revalidation');
  const { revalidations } = (await world.admin.get('/api/admin/revalidations')).json;
  assert.equal([revalidations[0].id, revalidations[0].ok], [sent?.data.id, true]);
  await untilAll([author], 'change');
  assert.not(author.some(({ event }) => event === 'revalidation'));
});

test('a right that is taken away while the stream is open ends what it was for', async () => {
  const contact = { name: 'contact', label: 'Contact', fields: [{ name: 'text', type: 'text' as const }] };
  await using world = await makeWorld({ now: 'real', config: { collections: [], forms: [contact] } });
  const editor = await world.user('editor');
  const { id } = (await editor.get('/api/admin/profile')).json.user;
  const heard = overhear(world, editor);
  await untilAll([heard], 'hello');
  const send = () => world.anonymous.post('/api/forms/contact', { text: 'secret' });
  await send();
  await untilAll([heard], 'submission');
  await world.admin.patch(`/api/admin/users/${id}`, { role: 'viewer' });
  const own = listen(world, world.admin, {}, has('submission'));
  await new Promise((resume) => setTimeout(resume, 300));
  await send();
  await own;
  assert.is(heard.filter(({ event }) => event === 'submission').length, 1);
});

test.run();
