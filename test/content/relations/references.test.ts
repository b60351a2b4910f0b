// Who points to a document, over HTTP: relations and links, what readers see, and deletions that nobody points to.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { createSiteLinks } from '../../../src/content/relations/site-links.ts';
import { markdownLinks } from '../../../src/links/text-links.ts';
import { makeWorld } from '../../support/world.ts';

const CONFIG: SiteConfigInput = {
  build: { baseUrl: 'https://example.org' },
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
    body: 'To [a](https://example.org/blog/a#top) and <a href="/blog/a/">a</a>, not [b](//blog/b) or `[c](/blog/c)`',
  });
  assert.equal(await placesOf('posts/a'), ['posts/a list.0.post', 'posts/b body']);
  assert.equal(await placesOf('posts/b'), ['posts/a list.1.post', 'posts/c body']);
  assert.equal(await placesOf('posts/c'), []);
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
  const links = createSiteLinks('https://example.org');
  const own = 'https://example.org';
  const text = `${'](/a'.repeat(50_000)}${']('.repeat(100_000)}${'href="'.repeat(50_000)}${own.repeat(20_000)}`;
  const code = `${'` '.repeat(50_000)}${'`'.repeat(50_000)}\n${'- '.repeat(20_000)}\n${'```\n> '.repeat(20_000)}](/a)`;
  const before = performance.now();
  for (const body of [text, code, `${'    '.repeat(50_000)}](/a)`]) links.inMarkdown(body);
  assert.ok(performance.now() - before < 1000);
});

test('what stands in code is not a link, as builds and the link check read it', () => {
  const { inMarkdown } = createSiteLinks();
  const texts = [
    'A [link](/a), `[code](/no)`, ``a ` [b](/no)`` and [c](/c) with a lone ` and [d](/d)',
    'An escaped \\`[a](/a)\\` is a link; a `span\n[b](/no)` goes on in the next line\n\nand `not\n\n[c](/c)` after its paragraph',
    '```\n[a](/no)\n~~~\n[a](/no)\n````\n[b](/b)',
    '~~~ js\n[a](/no)\n```\n\n[a](/no)\n~~~\n\n[b](/b)',
    '```\n[a](/no), and the fence has no end',
    'Text\n\n    [a](/no)\n\n    [b](/no)\n[c](/c)\n    [d](/d)',
    '    [a](/no)\n\t[b](/no)\n\n[c](/c)',
    '- item\n\n    [a](/a)\n\n      [b](/no)\n- b\n  [c](/c)\n\n[d](/d)\n\n    [e](/no)',
    '1. item\n   - inner\n\n         [a](/no)\n\n     [b](/b)\n\n   [c](/c)',
    '- ```\n  [a](/no)\n  ```\n  [b](/b)\n-     [c](/no)\n- [d](/d)',
    '> ```\n> [a](/no)\n\n[b](/b)\n\n> quoted\n>\n>     [c](/no)\n> [d](/d)',
    '# A [heading](/a) with `[b](/no)`\n    [c](/no)',
    '[both `](/a)` here](/b)',
    '* * *\n    [a](/no)\n\n***\n[b](/b)',
  ];
  for (const text of texts) {
    const found = inMarkdown(text).map(({ link }) => link);
    assert.equal(
      found,
      [...text.matchAll(/\((\/[a-z])\)/g)]
        .map(([, link]) => link)
        .filter((link) => markdownLinks(text).includes(link!)),
      text,
    );
    assert.not(found.includes('/no'), text);
  }
});

test.run();
