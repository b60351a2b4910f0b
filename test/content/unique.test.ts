// Unique fields, locales in groups of translations, and the refusals of patterns, over HTTP and in pushed commits.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { commitBeside, untilTakenIn } from '../support/store-world.ts';
import { makeWorld } from '../support/world.ts';

const CONFIG: SiteConfigInput = {
  locales: ['en', 'de', 'fr'],
  collections: [
    {
      name: 'prints',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'sku', type: 'text', unique: true, pattern: { value: '^[A-Z]+-\\d+$', message: 'like AB-12' } },
        { name: 'number', type: 'number', unique: true },
        { name: 'stock', type: 'number', defaultValue: 1 },
      ],
    },
    { name: 'german', locales: ['de'], fields: [{ name: 'title', type: 'text' }] },
  ],
};

test('a value of a unique field belongs to one document', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const { post, patch, delete: remove } = world.admin;
  const create = (slug: string, data: object, more = {}) => post('/api/cms/prints', { slug, data, ...more });
  assert.is((await create('a', { sku: 'AB-1', number: 0 })).status, 200);
  const { result, events } = await world.appended(() => create('b', { sku: 'AB-1', number: 1 }));
  assert.is(result.status, 409);
  assert.is(result.json.code, 'conflict');
  assert.match(result.json.error, '"a"');
  assert.equal(result.json.details, [{ path: 'data.sku', message: 'document "a" has this value already' }]);
  assert.equal(events, []);
  assert.is((await create('b', { number: 0 })).status, 409);
  assert.is((await create('b', { sku: null })).status, 200);
  assert.is((await create('c', { sku: '' }, { status: 'published' })).status, 400);

  assert.is((await patch('/api/cms/prints/b', { data: { sku: 'AB-1' } })).status, 409);
  assert.is((await patch('/api/cms/prints/a', { data: { sku: 'AB-1', title: 'T' } })).status, 200);
  assert.is((await patch('/api/cms/prints/a', { unset: ['sku'] })).status, 200);
  assert.is((await patch('/api/cms/prints/b', { data: { sku: 'AB-1' } })).status, 200);
  assert.is((await patch('/api/cms/prints/a', { data: { sku: 'AB-1' } })).status, 409);
  assert.is((await remove('/api/cms/prints/b')).status, 200);
  assert.is((await patch('/api/cms/prints/a', { data: { sku: 'AB-1' } })).status, 200);
  // The deleted document cannot come back with the value.
  const deleted = (await world.events()).at(-2)!;
  assert.match(deleted.subject, /^prints\/b: delete/);
  const restored = await world.admin.post('/api/cms/prints/b/restore', { commit: deleted.commit });
  assert.is(restored.status, 409, restored.text);
  assert.match(restored.json.error, '"a"');
});

test('of many writes at once one gets the value', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, i) => world.admin.post('/api/cms/prints', { slug: `p${i}`, data: { sku: 'AB-1' } })),
  );
  assert.equal(replies.map(({ status }) => status).sort(), [200, ...Array(19).fill(409)]);
  const winner = replies.find(({ status }) => status === 200)!.json.slug;
  for (const reply of replies.filter(({ status }) => status === 409)) assert.match(reply.json.error, `"${winner}"`);
  await world.restart();
  assert.is((await world.admin.post('/api/cms/prints', { slug: 'late', data: { sku: 'AB-1' } })).status, 409);
});

test('translations of one document may share a value, and have one locale each', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const create = (slug: string, more: object) =>
    world.admin.post('/api/cms/prints', { slug, data: { sku: 'AB-1' }, ...more });
  assert.is((await create('a', {})).status, 200);
  assert.is((await create('a-de', { translationOf: 'a', locale: 'de' })).status, 200);
  for (const [more, path] of [
    [{ translationOf: 'a', locale: 'de' }, 'locale'],
    [{ translationOf: 'a', locale: 'en' }, 'locale'],
    [{ translationOf: 'a' }, 'translationOf'],
    [{ translationOf: 'a', locale: 'es' }, 'locale'],
  ] as const) {
    const reply = await create('x', more);
    assert.is(reply.status, 400, JSON.stringify(more));
    assert.is(reply.json.details[0].path, path, JSON.stringify(more));
  }
  assert.is((await create('a-fr', { translationOf: 'a', locale: 'fr' })).status, 200);
  assert.is((await world.admin.patch('/api/cms/prints/a-fr', { locale: 'de' })).status, 400);
  assert.is((await create('other', { locale: 'fr' })).status, 409);
  assert.is((await world.admin.post('/api/cms/german', { locale: 'en', data: {} })).status, 400);
  const english = (await world.admin.get('/api/cms/prints?locale=en')).json;
  assert.equal(
    english.documents.map(({ slug }: { slug: string }) => slug),
    ['a'],
  );
  assert.not('locale' in english.documents[0]);
});

test('patterns, default values and unset over HTTP', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const refused = await world.admin.post('/api/cms/prints', { slug: 'a', status: 'published', data: { sku: 'ab' } });
  assert.is(refused.status, 400);
  assert.equal(refused.json.details, [{ path: 'data.sku', message: 'like AB-12' }]);
  const { result: created, events } = await world.appended(() =>
    world.admin.post('/api/cms/prints', { slug: 'a', data: { title: 'T' } }),
  );
  assert.equal(created.json.data, { title: 'T', stock: 1 });
  assert.is(events[0]!.trailers.Fields, 'title, stock');
  const both = await world.admin.patch('/api/cms/prints/a', { data: { title: 'U' }, unset: ['title'] });
  assert.is(both.status, 400);
  assert.is(both.json.details[0].path, 'unset.0');
  const { result } = await world.appended(() => world.admin.patch('/api/cms/prints/a', { unset: ['stock'] }));
  assert.equal(result.json.data, { title: 'T' });
  const absent = await world.appended(() => world.admin.patch('/api/cms/prints/a', { unset: ['stock'] }));
  assert.is(absent.result.status, 200);
  assert.is(absent.events.length, 1, 'an accepted change is a commit, also if it changes nothing');
  assert.not(absent.events[0]!.trailers.Fields?.includes('stock'));
  const inside = await world.appended(() => world.admin.patch('/api/cms/prints/a', { unset: ['title.en'] }));
  assert.is(inside.result.status, 400);
  assert.is(inside.result.json.details[0].path, 'unset.0');
  assert.equal(inside.events, []);
});

test('what external commits bring twice is shown and reported until it is gone', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await world.admin.post('/api/cms/prints', { slug: 'a', data: { sku: 'AB-1' } });
  const { store } = world.site();
  const commit = async (file: object | null): Promise<string[]> => {
    await store.log.flush();
    const text = file && `${JSON.stringify(file, null, 2)}\n`;
    const files = { 'content/prints/twin.json': text };
    commitBeside(store.repository, files);
    await untilTakenIn(store);
    await new Promise((resume) => setImmediate(resume));
    return (await world.admin.get('/readyz')).json.warnings;
  };
  const at = '2026-01-02T03:04:06.000Z';
  const twin = {
    id: 'TwinTwin0001',
    slug: 'twin',
    collection: 'prints',
    status: 'draft',
    createdAt: at,
    updatedAt: at,
  };
  const expected = ['default: content/prints/twin.json: has the value of a in the unique field sku'];
  assert.equal(await commit({ ...twin, data: { sku: 'AB-1' } }), expected);
  assert.is((await world.admin.get('/api/cms/prints/twin')).status, 200);
  assert.is((await world.admin.post('/api/cms/prints', { slug: 'c', data: { sku: 'AB-1' } })).status, 409);
  assert.is((await world.admin.patch('/api/cms/prints/twin', { data: { title: 'T' } })).status, 200);
  assert.is((await world.admin.patch('/api/cms/prints/twin', { data: { sku: 'AB-2' } })).status, 200);
  await new Promise((resume) => setImmediate(resume));
  assert.equal((await world.admin.get('/readyz')).json.warnings, []);
});

test('a locale that external commits bring twice into a group is reported until it is gone', async () => {
  await using world = await makeWorld({ config: CONFIG });
  await world.admin.post('/api/cms/prints', { slug: 'own', data: {} });
  const group = 'b3d1b6d2-2d51-4b0a-9f6e-0d9e6f7a1c11';
  const commit = async (files: Record<string, object | null>): Promise<string[]> => {
    const { store } = world.site();
    await store.log.flush();
    const texts = Object.entries(files).map(([slug, file]) => {
      const doc = file && {
        id: `Group0000${slug.padStart(3, '0')}`,
        ...{ slug, collection: 'prints', status: 'draft', translationGroup: group, ...file },
      };
      return [`content/prints/${slug}.json`, doc && `${JSON.stringify(doc, null, 2)}\n`];
    });
    commitBeside(store.repository, Object.fromEntries(texts));
    await untilTakenIn(store);
    await new Promise((resume) => setImmediate(resume));
    return (await world.admin.get('/readyz')).json.warnings;
  };
  await world.site().content.warm();
  const at = (second: number) => `2026-01-02T03:04:0${second}.000Z`;
  const doc = (second: number, locale: string) => ({ locale, createdAt: at(second), updatedAt: at(second), data: {} });
  assert.equal(await commit({ a: doc(1, 'en'), b: doc(2, 'de') }), []);
  const expected = ['default: content/prints/c.json: has the locale of b (de) in one group of translations'];
  assert.equal(await commit({ c: doc(3, 'de') }), expected);
  await world.restart();
  await world.site().content.warm();
  await new Promise((resume) => setImmediate(resume));
  assert.equal((await world.admin.get('/readyz')).json.warnings, expected, 'a start reports it too');
  assert.is((await world.admin.delete('/api/cms/prints/b')).status, 200);
  await new Promise((resume) => setImmediate(resume));
  assert.equal((await world.admin.get('/readyz')).json.warnings, []);
});

test.run();
