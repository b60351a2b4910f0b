// Revalidation over the whole service: what the frontend hears of each change, signed, and what it never hears of.
import { createHmac } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { eventually } from '../../support/process.ts';
import { type Answer, makeReceiver, type Received, type Receiver } from '../../support/receiver.ts';
import { gif, upload } from '../../support/upload.ts';
import { makeWorld, type World, type WorldOptions } from '../../support/world.ts';

const SECRET = 'revalidate-secret';
const text = { name: 'title', type: 'text' } as const;
const SITE: SiteConfigInput = {
  defaultLocale: 'en',
  locales: ['en', 'de'],
  collections: [
    { name: 'posts', urlPrefix: '/blog', fields: [text] },
    { name: 'pages', urlPrefix: '', parentField: 'parent', fields: [text, { name: 'parent', type: 'text' }] },
    { name: 'snippets', kind: 'snippet', fields: [text] },
  ],
};

interface Frontend extends AsyncDisposable {
  world: World;
  receiver: Receiver;
  /** Bodies in order of arrival. */
  bodies(): Received['json'][];
  /** Runs `work`, and returns the bodies that come of it, once there are as many. */
  after(work: () => Promise<unknown>, count: number): Promise<Received['json'][]>;
  post(collection: string, slug: string, more?: object): Promise<void>;
  patch(path: string, body: object): Promise<void>;
}

async function makeFrontend({ answer, ...options }: WorldOptions & { answer?: Answer } = {}): Promise<Frontend> {
  const receiver = await makeReceiver(answer ?? (() => 204));
  const world = await makeWorld({ config: SITE, now: 'real', ...options });
  const settings = { revalidateUrl: receiver.url, revalidateSecret: SECRET, allowPrivateTargets: true };
  assert.is((await world.admin.post('/api/admin/site-config', settings)).status, 200);
  const bodies = () => receiver.received.map(({ json }) => json);
  const must = async (reply: Promise<{ status: number; text: string }>): Promise<void> => {
    const { status, text } = await reply;
    assert.ok(status < 300, text);
  };
  return {
    ...{ world, receiver, bodies },
    async after(work, count) {
      const before = receiver.received.length;
      await work();
      await receiver.count(before + count);
      return bodies().slice(before);
    },
    post: (collection, slug, more = {}) =>
      must(world.admin.post(`/api/cms/${collection}`, { slug, status: 'published', data: { title: slug }, ...more })),
    patch: (path, body) => must(world.admin.patch(`/api/cms/${path}`, body)),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const place = ({ collection, slug, action, paths }: Received['json']) =>
  `${action} ${collection}/${slug} ${paths.join(' ')}`;

test('each change of what is public is sent, with the paths that show it', async () => {
  await using it = await makeFrontend();
  const { admin } = it.world;
  const [published] = await it.after(() => it.post('posts', 'hello'), 1);
  assert.is(place(published), 'published posts/hello /blog/hello /blog');
  assert.is(published.document.slug, 'hello');
  assert.is(published.document._fieldMeta, undefined);
  const [updated] = await it.after(() => it.patch('posts/hello', { data: { title: 'New' } }), 1);
  assert.is(place(updated), 'updated posts/hello /blog/hello /blog');
  assert.is(updated.document.data.title, 'New');
  const [renamed] = await it.after(() => it.patch('posts/hello', { slug: 'hallo' }), 1);
  assert.is(place(renamed), 'updated posts/hallo /blog/hallo /blog /blog/hello');
  const [unpublished] = await it.after(() => it.patch('posts/hallo', { status: 'draft' }), 1);
  assert.is(place(unpublished), 'unpublished posts/hallo /blog/hallo /blog');
  assert.is(unpublished.document, null);
  // Nothing of a draft, whatever happens to it.
  await it.patch('posts/hallo', { slug: 'secret', data: { title: 'Secret' } });
  const [again] = await it.after(() => it.patch('posts/secret', { status: 'published' }), 1);
  assert.is(place(again), 'published posts/secret /blog/secret /blog');
  const [archived] = await it.after(() => it.patch('posts/secret', { status: 'archived' }), 1);
  assert.is(archived.action, 'unpublished');
  await it.patch('posts/secret', { status: 'published' });
  const [, deleted] = await it.after(() => admin.delete('/api/cms/posts/secret'), 2);
  assert.is(place(deleted), 'deleted posts/secret /blog/secret /blog');
  assert.is(deleted.document, null);
});

test('a request is signed, and its headers say what it is', async () => {
  await using it = await makeFrontend();
  await it.after(() => it.post('posts', 'hello'), 1);
  const [{ headers, body, method }] = it.receiver.received as [Received];
  assert.is(method, 'POST');
  assert.is(headers['x-cms-event'], 'content.revalidate');
  assert.is(headers['x-cms-signature'], `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`);
  assert.ok(Math.abs(Number(headers['x-cms-timestamp']) - Date.now() / 1000) < 60);
  const { json } = await it.world.admin.get('/api/admin/revalidations');
  const [{ id, ...listed }] = json.revalidations;
  assert.is(headers['x-cms-delivery'], id);
  const { at, durationMs, ...rest } = listed;
  assert.ok(Date.parse(at) > 0 && durationMs >= 0);
  assert.equal(rest, {
    ...{ collection: 'posts', slug: 'hello', action: 'published', paths: ['/blog/hello', '/blog'] },
    ...{ url: it.receiver.url, status: 204, ok: true, error: null },
  });
});

test('locales, nested pages and the home page have the paths of the site', async () => {
  await using it = await makeFrontend();
  const [german] = await it.after(() => it.post('posts', 'hallo', { locale: 'de' }), 1);
  assert.equal(german.paths, ['/de/blog/hallo', '/de/blog']);
  const [home] = await it.after(() => it.post('pages', 'home'), 1);
  assert.equal(home.paths, ['/']);
  await it.after(() => it.post('pages', 'about'), 1);
  const [team] = await it.after(() => it.post('pages', 'team', { data: { title: 'Team', parent: 'about' } }), 1);
  assert.equal(team.paths, ['/about/team', '/']);
  const [moved] = await it.after(() => it.patch('pages/about', { status: 'draft' }), 1);
  assert.equal(new Set(moved.paths), new Set(['/about', '/', '/about/team']));
  // Its parent is a draft: its address has a slug that is not public.
  const [below] = await it.after(() => it.patch('pages/team', { data: { title: 'Us' } }), 1);
  assert.equal(below.paths, ['/']);
});

test('what has no page is not sent; media are', async () => {
  await using it = await makeFrontend();
  await it.post('snippets', 'footer');
  const [media] = await it.after(() => upload(it.world.admin, 'a.gif', gif(), { folder: 'pictures' }), 1);
  assert.equal(media, {
    ...{ collection: 'media', slug: 'pictures/a.gif', action: 'created', paths: ['/uploads/pictures/a.gif'] },
    document: null,
  });
});

test('without a secret nothing is sent, and the answers say so', async () => {
  await using it = await makeFrontend();
  const { admin } = it.world;
  const cleared = await admin.post('/api/admin/site-config', { revalidateSecret: null });
  assert.is(cleared.json.revalidateSecret.set, false);
  assert.is(cleared.json.problems.length, 1);
  assert.is(cleared.json.problems[0].path, 'revalidateSecret');
  await it.post('posts', 'quiet');
  const refused = await admin.post('/api/admin/revalidations/resend');
  assert.is(refused.status, 400);
  const made = await admin.post('/api/admin/site-config', { revalidateSecret: { generate: true } });
  assert.equal(made.json.problems, []);
  const bodies = await it.after(() => it.post('posts', 'loud'), 1);
  assert.equal(
    bodies.map(({ slug }) => slug),
    ['loud'],
  );
});

test('a frontend that was down gets the change later, under the same id, also after a restart', async () => {
  let isUp = false;
  await using it = await makeFrontend({ answer: () => (isUp ? 200 : 500) });
  await it.after(() => it.post('posts', 'hello'), 1);
  await eventually(async () => {
    const { json } = await it.world.admin.get('/api/admin/revalidations');
    assert.equal([json.revalidations[0]?.status, json.revalidations[0]?.ok], [500, false]);
  }, 5000);
  await it.world.restart();
  isUp = true;
  await it.receiver.count(2, 20_000);
  const [first, second] = it.receiver.received;
  assert.is(first!.headers['x-cms-delivery'], second!.headers['x-cms-delivery']);
});

test('everything published is sent again, a few at a time', async () => {
  const starter: Record<string, string> = {};
  for (let index = 0; index < 1000; index++) {
    const slug = `post-${index}`;
    const at = '2026-01-02T03:04:05.678Z';
    const id = `A${String(index).padStart(11, '0')}`;
    const status = index % 10 === 0 ? 'draft' : 'published';
    const doc = { id, slug, collection: 'posts', status, createdAt: at, updatedAt: at, data: { title: slug } };
    starter[`posts/${slug}.json`] = JSON.stringify(doc);
  }
  let open = 0;
  let most = 0;
  await using it = await makeFrontend({
    starter,
    answer(_, response) {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        response.writeHead(204).end();
      }, 1);
      return undefined;
    },
  });
  const { status, json } = await it.world.admin.post('/api/admin/revalidations/resend');
  assert.equal([status, json], [200, { ok: true, documents: 900 }]);
  await it.receiver.count(900, 30_000);
  assert.ok(most <= 10, `${most} at once`);
  assert.is(new Set(it.bodies().map(({ slug }) => slug)).size, 900);
  assert.ok(it.bodies().every(({ document }) => document.status === 'published'));
  const { json: listed } = await it.world.admin.get('/api/admin/revalidations');
  assert.is(listed.revalidations.length, 50);
});

test('the log is for those who may read deploys, and resending for those who may begin them', async () => {
  await using it = await makeFrontend();
  const reader = await it.world.token(['deploy:read']);
  assert.is((await reader.get('/api/admin/revalidations')).status, 200);
  assert.is((await reader.post('/api/admin/revalidations/resend')).status, 403);
  assert.is((await it.world.anonymous.get('/api/admin/revalidations')).status, 401);
});

test.run();
