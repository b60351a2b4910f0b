// The newest changes first, for people: page by page they are the feed backwards, whatever a commit has.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../../support/world.ts';

interface Change {
  commit: string;
  event: string;
  slug: string;
  id: string;
  title: string;
  author: { id: string | null; name: string };
}

test('pages of the newest changes are the whole feed, backwards, also through a commit of many documents', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  await admin.post('/api/cms/posts', { slug: 'a', data: { title: 'First' } });
  await admin.patch('/api/cms/posts/a', { data: { title: 'Second' } });
  const operations = ['b', 'c', 'd', 'e', 'f'].map((slug) => ({ op: 'create', slug, data: { title: `New ${slug}` } }));
  assert.is((await admin.post('/api/cms/posts/bulk', { atomic: true, operations })).status, 200);
  await admin.delete('/api/cms/posts/c');
  const forward = (await admin.get('/api/cms/changes')).json.changes as Change[];
  for (const limit of [1, 2, 3, 100]) {
    const backward: Change[] = [];
    let url: string | undefined = `/api/cms/changes?order=desc&limit=${limit}`;
    while (url) {
      const { status, json, text, headers } = await admin.get(url);
      assert.is(status, 200, text);
      assert.ok(json.changes.length <= limit);
      backward.push(...json.changes);
      url = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1];
    }
    const shape = ({ commit, event, slug, id }: Change) => ({ commit, event, slug, id });
    assert.equal(backward.map(shape), forward.map(shape).reverse(), `pages of ${limit}`);
  }
  const [deleted, ...others] = (await admin.get('/api/cms/changes?order=desc')).json.changes as Change[];
  assert.equal([deleted?.event, deleted?.title], ['document.deleted', 'New c'], 'as it was called');
  assert.equal(
    others.slice(-2).map(({ title }) => title),
    ['Second', 'First'],
    'as the change left it',
  );
  assert.ok(others.every(({ author }) => author.name === 'Ada' && author.id !== null));
});

test('the newest changes are filtered by person, collection and time, page by page', async () => {
  await using world = await makeWorld();
  const { admin } = world;
  const bob = await world.user('editor');
  const { id } = (await bob.get('/api/auth/me')).json.user;
  for (let n = 0; n < 6; n++) {
    world.advance(60_000);
    const collection = n % 2 === 0 ? 'posts' : 'notes';
    await (n % 3 === 0 ? bob : admin).post(`/api/cms/${collection}`, { slug: `n${n}`, data: { title: `${n}` } });
  }
  const read = async (query: string): Promise<string[]> => {
    const slugs: string[] = [];
    let url: string | undefined = `/api/cms/changes?order=desc&limit=1&${query}`;
    while (url) {
      const { status, json, text, headers } = await admin.get(url);
      assert.is(status, 200, text);
      slugs.push(...json.changes.map(({ slug }: Change) => slug));
      url = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1];
    }
    return slugs;
  };
  assert.equal(await read('collection=notes'), ['n5', 'n3', 'n1']);
  assert.equal(await read(`user=${id}`), ['n3', 'n0']);
  assert.equal(await read(`user=${id}&collection=posts`), ['n0']);
  const at = (minutes: number) => new Date(Date.parse('2026-01-02T03:04:05.000Z') + minutes * 60_000).toISOString();
  assert.equal(await read(`from=${at(2)}&to=${at(4)}`), ['n2', 'n1']);
  assert.equal(await read('collection=media'), []);
  assert.is((await admin.get('/api/cms/changes?collection=posts')).status, 400);
});

test('bad queries are refused, and an unknown commit is 404', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  const head = world.headCommit();
  const status = async (query: string) => (await world.admin.get(`/api/cms/changes?${query}`)).status;
  assert.is(await status('order=newest'), 400);
  assert.is(await status('order=desc&before=yesterday'), 400);
  assert.is(await status(`order=desc&since=${head}`), 400);
  assert.is(await status(`order=desc&before=${'f'.repeat(40)}`), 404);
  assert.is(await status(`order=desc&before=${head}.99`), 200);
  assert.is(await status('order=asc'), 200);
  for (const order of ['', 'order=asc&']) assert.is(await status(`${order}before=${head}`), 400, order);
  assert.is((await world.anonymous.get('/api/cms/changes?order=desc')).status, 401);
});

test('an event stream refuses `before`', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  const url = `/api/cms/changes?before=${world.headCommit()}`;
  const { status, json } = await world.admin.get(url, { Accept: 'text/event-stream' });
  assert.is(status, 400);
  assert.is(json.details[0].path, 'before');
});

test.run();
