// When a document was changed, if an external commit changed it.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git } from '../../support/git.ts';
import { commitBeside, untilTakenIn } from '../../support/store-world.ts';
import { makeWorld } from '../../support/world.ts';

const fileOf = (slug: string): string => `content/posts/${slug}.json`;

test('updatedAt is the later of the file’s and the commit’s, in every answer and after a restart, and the next change writes it', async () => {
  const now = '2026-01-01T00:00:00.000Z';
  await using world = await makeWorld({ now });
  for (const slug of ['a', 'b', 'c']) await world.admin.post('/api/cms/posts', { slug, data: { title: slug } });
  const { site } = world;
  const { json } = await world.admin.get('/api/cms/posts/a');
  const { json: c } = await world.admin.get('/api/cms/posts/c');
  const text = (doc: object): string => `${JSON.stringify(doc, null, 2)}\n`;
  const later = { ...c, data: { title: 'later' }, updatedAt: '2026-01-05T00:00:00.000Z' };
  await site().store.log.flush();
  commitBeside(site().store.repository, {
    [fileOf('a')]: text({ ...json, data: { title: 'pushed' } }),
    [fileOf('c')]: text(later),
  });
  await untilTakenIn(site().store);
  const committed = '2026-01-03T00:26:40.000Z';
  const times = async () => {
    const { documents } = (await world.admin.get('/api/cms/posts?orderBy=updatedAt&order=asc')).json;
    return documents.map(({ slug, updatedAt }: Record<string, string>) => [slug, updatedAt]);
  };
  const expected = [
    ['b', now],
    ['a', committed],
    ['c', later.updatedAt],
  ];
  assert.equal(await times(), expected);
  for (const forget of [false, true]) {
    await world.restart({ forget });
    assert.equal(await times(), expected);
    assert.is((await world.admin.get('/api/cms/posts/a')).json.updatedAt, committed);
  }
  await world.admin.patch('/api/cms/posts/a', { data: { rank: 1 } });
  await site().store.log.flush();
  const written = JSON.parse(await git(site().store.repository, 'show', `main:${fileOf('a')}`));
  assert.is(written.updatedAt, '2026-01-03T00:26:40.001Z', 'our clock is behind');
  assert.equal((await world.admin.get('/api/cms/posts/a')).json.updatedAt, written.updatedAt);
});

test.run();
