// Who points to a document, over HTTP: relations and links, what readers see, and deletions that nobody points to.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { collectPointers } from '../../../src/content/relations/pointers.ts';
import { makeWorld } from '../../support/world.ts';

const CONFIG: SiteConfigInput = {
  collections: [
    {
      name: 'posts',
      urlPrefix: '/blog',
      access: { read: 'public' },
      fields: [
        { name: 'title', type: 'text' },
        { name: 'body', type: 'richtext' },
        { name: 'author', type: 'relation', collection: 'people' },
        { name: 'list', type: 'array', fields: [{ name: 'post', type: 'relation', collection: 'posts' }] },
      ],
    },
    { name: 'people', access: { read: 'public' }, fields: [{ name: 'name', type: 'text' }] },
  ],
};

test('references name who points to a document, also after changes, renames and restarts, as far as a reader sees', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const { post, patch, get, delete: remove } = world.admin;
  const put = (collection: string, slug: string, data: object, status = 'published') =>
    post(`/api/cms/${collection}`, { slug, status, data });
  const placesOf = async (path: string, reader = world.admin) => {
    const { json } = await reader.get(`/api/cms/${path}/references`);
    assert.is(json.total, json.references.length);
    return json.references.map(
      ({ collection, slug, field }: Record<string, string>) => `${collection}/${slug} ${field}`,
    );
  };
  await put('people', 'ines', { name: 'Inés' });
  await put('posts', 'a', { title: 'First', author: 'ines', list: [{ post: 'a' }, { post: 'b' }] });
  assert.equal(await placesOf('people/ines'), ['posts/a author'], 'the index is built by the first question');
  const body = {
    type: 'doc',
    content: [{ type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: '/blog/b?x' } }] }],
  };
  await put('posts', 'c', { body }, 'draft');
  await put('posts', 'b', {
    author: 'ines',
    body: 'To [a](/blog/a#top) and <a href="/blog/a/">a</a>, not [b](//blog/b)',
  });
  assert.equal(await placesOf('posts/a'), ['posts/a list.0.post', 'posts/b body']);
  assert.equal(await placesOf('posts/b'), ['posts/a list.1.post', 'posts/c body']);
  assert.equal(await placesOf('posts/b', world.anonymous), ['posts/a list.1.post']);
  assert.equal((await get('/api/cms/people/ines/references?limit=1')).json, {
    references: [{ collection: 'posts', slug: 'a', title: 'First', field: 'author' }],
    total: 2,
  });

  const refused = await remove('/api/cms/people/ines?ifUnreferenced=true');
  assert.is(refused.status, 409);
  assert.equal(
    refused.json.details.map(({ path }: { path: string }) => path),
    ['posts/a', 'posts/b'],
  );
  await patch('/api/cms/posts/a', { data: { author: 'other' }, slug: 'moved' });
  await patch('/api/cms/posts/b', { unset: ['author'] });
  assert.equal(await placesOf('people/ines'), []);
  assert.equal(await placesOf('posts/b'), ['posts/c body', 'posts/moved list.1.post']);
  await world.restart();
  assert.equal(await placesOf('posts/b'), ['posts/c body', 'posts/moved list.1.post']);

  const both = await Promise.all([
    put('posts', 'late', { author: 'ines' }),
    world.admin.delete('/api/cms/people/ines?ifUnreferenced=true'),
  ]);
  const isThere = (await get('/api/cms/people/ines')).status === 200;
  assert.is(both[1].status, isThere ? 409 : 200);
  assert.is((await remove('/api/cms/posts/moved?ifUnreferenced=yes')).status, 400);
  assert.is((await remove('/api/cms/posts/late?ifUnreferenced=true')).status, 200);
  assert.is((await world.anonymous.get('/api/cms/posts/c/references')).status, 404);
});

test('links are found in time that is proportional to the text', () => {
  const field = { name: 'body', type: 'richtext' as const };
  const text = `${'](/a'.repeat(50_000)}${']('.repeat(100_000)}${'href="'.repeat(50_000)}`;
  const before = performance.now();
  collectPointers({ body: text }, [field], new Map());
  assert.ok(performance.now() - before < 1000);
});

test.run();
