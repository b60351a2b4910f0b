// The one event stream of open pages over HTTP: what comes, to whom, and after a lost connection.
import { get } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Client, makeWorld, type World } from '../support/world.ts';

interface Heard {
  event: string;
  id: string | undefined;
  data: Record<string, unknown>;
}

/** Listens until `done` says that it has heard enough. */
function listen(world: World, client: Client, headers: Record<string, string>, done: (all: Heard[]) => boolean) {
  return new Promise<Heard[]>((resolve, reject) => {
    const request = get(`${world.url}/api/admin/events`, { headers: { ...client.headers, ...headers } }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        text += chunk;
        const heard = text
          .split('\n\n')
          .slice(0, -1)
          .filter((one) => one.includes('data: '))
          .map(toHeard);
        if (!done(heard)) return;
        request.destroy();
        resolve(heard);
      });
    });
    request.on('error', (error) => reject(error));
    setTimeout(() => reject(new Error('nothing came')), 10_000).unref();
  });
}

function toHeard(text: string): Heard {
  const line = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1];
  return { event: line('event') ?? '', id: line('id'), data: JSON.parse(line('data') ?? '') };
}

const has = (event: string) => (all: Heard[]) => all.some((one) => one.event === event);

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

test.run();
