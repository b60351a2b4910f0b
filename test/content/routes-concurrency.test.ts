// Many writers at once: no key is lost, every accepted write is a commit, and readers never see a partial result.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../support/world.ts';

test('50 writers of 50 keys of one document all find their key, in 50 commits', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', data: {} });
  const { result, events } = await world.appended(() =>
    Promise.all(
      Array.from({ length: 50 }, (_, i) => world.admin.patch('/api/cms/posts/a', { data: { [`key${i}`]: i } })),
    ),
  );
  assert.ok(result.every(({ status }) => status === 200));
  const { json } = await world.admin.get('/api/cms/posts/a');
  assert.equal(Object.keys(json.data).length, 50);
  assert.is(events.length, 50);
  assert.is(new Set(result.map(({ json: { updatedAt } }) => updatedAt)).size, 50);
  assert.is(new Set(result.map(({ headers }) => headers.etag)).size, 50);
  const commits = result.map(({ headers }) => headers['x-cms-commit']).sort();
  assert.equal(commits, events.map(({ commit }) => commit).sort());
  // Each answer is the document as it was right after its own write.
  const sizes = result.map(({ json: { data } }) => Object.keys(data).length).sort((a, b) => a - b);
  assert.equal(
    sizes,
    Array.from({ length: 50 }, (_, i) => i + 1),
  );
});

test('one of 30 creations with one slug succeeds; each of 30 with one title gets its own slug', async () => {
  await using world = await makeWorld();
  const race = await world.appended(() =>
    Promise.all(Array.from({ length: 30 }, () => world.admin.post('/api/cms/posts', { slug: 'a', data: {} }))),
  );
  assert.equal(race.result.map(({ status }) => status).sort(), [200, ...Array(29).fill(409)]);
  assert.is(race.events.length, 1);
  const titled = await Promise.all(
    Array.from({ length: 30 }, () => world.admin.post('/api/cms/posts', { data: { title: 'Same' } })),
  );
  assert.is(new Set(titled.map(({ json }) => json.slug)).size, 30);
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 31);
});

test('renames, deletions and changes of the same documents end in one consistent list', async () => {
  await using world = await makeWorld();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.push((await world.admin.post('/api/cms/posts', { slug: `p${i}`, data: {} })).json.id);
  const { result, events } = await world.appended(() =>
    Promise.all(
      Array.from({ length: 120 }, (_, i) => {
        const path = `/api/cms/posts/${ids[i % 5]}`;
        if (i % 17 === 16) return world.admin.delete(path);
        if (i % 3 === 0) return world.admin.put(path, { slug: `s${i % 7}` });
        return world.admin.put(path, { data: { [`k${i}`]: 1 } });
      }),
    ),
  );
  assert.ok(result.every(({ status }) => [200, 404, 409].includes(status)));
  assert.is(events.length, result.filter(({ status }) => status === 200).length);
  const before = (await world.admin.get('/api/cms/posts')).json;
  assert.is(before.documents.length, before.total);
  assert.is(new Set(before.documents.map(({ slug }: { slug: string }) => slug)).size, before.total);
  for (const doc of before.documents) {
    assert.equal((await world.admin.get(`/api/cms/posts/${doc.slug}`)).json, doc);
  }
  await world.restart();
  assert.equal((await world.admin.get('/api/cms/posts')).json, before);
});

test('translations made at once share one group', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'en', data: {} });
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      world.admin.post('/api/cms/posts', { slug: `t${i}`, translationOf: 'en', data: {} }),
    ),
  );
  const groups = new Set(replies.map(({ json }) => json.translationGroup));
  assert.is(groups.size, 1);
  assert.is((await world.admin.get('/api/cms/posts/en')).json.translationGroup, [...groups][0]);
});

test('readers amid writers always see a complete list whose ETag identifies it', async () => {
  await using world = await makeWorld();
  for (let i = 0; i < 10; i++) await world.admin.post('/api/cms/posts', { slug: `p${i}`, data: { n: 0 } });
  const seen = new Map<string, string>();
  let writing = true;
  const reader = async (): Promise<void> => {
    while (writing) {
      const { headers, text, json } = await world.admin.get('/api/cms/posts?limit=20&orderBy=updatedAt');
      assert.is(json.documents.length, json.total);
      const known = seen.get(String(headers.etag));
      assert.ok(known === undefined || known === text);
      seen.set(String(headers.etag), text);
    }
  };
  const readers = [reader(), reader(), reader()];
  for (let i = 1; i <= 60; i++) {
    const { status } = await world.admin.patch(`/api/cms/posts/p${i % 10}`, { data: { n: i } });
    assert.is(status, 200);
    if (i % 10 === 0) await world.admin.delete(`/api/cms/posts/p${i % 10}`);
    if (i % 10 === 0) await world.admin.post('/api/cms/posts', { slug: `p${i % 10}`, data: { n: i } });
  }
  writing = false;
  await Promise.all(readers);
});

test.run();
