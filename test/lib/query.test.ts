import * as assert from 'node:assert/strict';
import { test } from 'uvu';
import { makeWorld } from '../http/world.ts';

test('numbers in the query are plain digits', async () => {
  await using world = await makeWorld();
  const status = async (query: string) => (await world.get(`/api/cms/posts?${query}`)).status;
  for (const bad of [
    '',
    '0',
    '-1',
    '1e1',
    '%205',
    '5%20',
    '+5',
    '%2B5',
    '5.0',
    '0x5',
    'five',
    '५',
    'NaN',
    '1_0',
    '1,0',
  ]) {
    assert.equal(await status(`limit=${bad}`), 400, `limit=${bad}`);
  }
  for (const bad of ['', '-1', '1.5', 'x', '+0']) assert.equal(await status(`offset=${bad}`), 400, `offset=${bad}`);
  for (const good of ['limit=1', 'limit=99999999999999999999', 'offset=0', 'offset=7&limit=3']) {
    assert.equal(await status(good), 200, good);
  }
  assert.equal(await status('order=up'), 400);
  assert.equal(await status('order='), 400);
  assert.equal(await status('order=asc'), 200);
});

test('a refused parameter is named in the details', async () => {
  await using world = await makeWorld();
  const body = (await (await world.get('/api/cms/posts?limit=0&order=up')).json()) as { details: { path: string }[] };
  assert.deepEqual(
    body.details.map(({ path }) => path),
    ['limit', 'order'],
  );
});

test('a parameter that is given twice or is not UTF-8 is refused; names that begin with _ or utm_ are not', async () => {
  await using world = await makeWorld();
  assert.equal((await world.get('/api/cms/posts?limit=1&limit=2')).status, 400);
  assert.equal((await world.get('/api/cms/posts?limit=1&limit=1')).status, 400);
  assert.equal((await world.get('/api/cms/posts?tags=%ff')).status, 400);
  assert.equal((await world.get('/api/cms/posts?tags=%')).status, 400);
  assert.equal((await world.get('/api/cms/posts?utm_a=1&__proto__=2')).status, 200);
});

test('lists are split at commas, flags are words', async () => {
  await using world = await makeWorld();
  const query = async (text: string) =>
    ((await (await world.get(`/api/cms/posts?${text}`)).json()) as { query: unknown }).query;
  assert.deepEqual(await query('tags=a,%20b,,c+d'), { tags: ['a', 'b', 'c d'] });
  assert.deepEqual(await query('tags='), { tags: [] });
  assert.deepEqual(await query('limit=007'), { limit: 7 });
});

test.run();
