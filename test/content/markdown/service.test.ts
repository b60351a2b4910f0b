// Collections whose files are Markdown, and files that people write by hand, in the service: written, read again after a
// start from nothing, in history and versions, and given the other format.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { commitBeside, git } from '../../support/external.ts';
import { makeViewsWorld, type ViewsWorld } from '../rows/views-world.ts';

const CONFIG: SiteConfigInput = {
  defaultLocale: 'en',
  locales: ['en', 'de'],
  collections: [
    {
      name: 'posts',
      format: 'markdown',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'body', type: 'richtext' },
        { name: 'tags', type: 'tags' },
      ],
    },
    { name: 'notes', fields: [{ name: 'title', type: 'text' }] },
  ],
};

const read = (world: ViewsWorld, path: string): string => git(world.repository, 'cat-file', 'blob', `main:${path}`);

async function settled(world: ViewsWorld): Promise<void> {
  await world.cms.site.store.log.flush();
  await world.settle();
}

async function push(world: ViewsWorld, files: Record<string, string | null>): Promise<string> {
  if (!world.cms.site.store.log.status().head) await world.cms.content.create('notes', { slug: 'first', data: {} });
  await settled(world);
  const commit = commitBeside(world.repository, files, undefined, 'refs/heads/main');
  await world.settle();
  return commit;
}

async function found(world: ViewsWorld, collection: string, slug: string) {
  const doc = await world.cms.content.findBySlug(collection, slug);
  assert.ok(doc, `${collection}/${slug}`);
  return doc;
}

/** The same answers from a start that has nothing but the repository. */
async function sameRebuilt(world: ViewsWorld): Promise<void> {
  assert.equal(await world.rebuilt(), await world.picture());
}

test('a document is a Markdown file: the text below its front matter, and every change one file', async () => {
  await using world = await makeViewsWorld(CONFIG);
  const { content } = world.cms;
  const made = await content.create('posts', {
    slug: 'hello',
    status: 'published',
    data: { body: '# One\n\nTwo.\n', tags: ['no', '2026-01-01'], title: 'Yes: a title' },
  });
  await content.update('posts', 'hello', { data: { title: 'Again' } });
  await settled(world);
  assert.equal(
    git(world.repository, 'ls-tree', '-r', '--name-only', 'main', 'content').trim(),
    'content/posts/hello.md',
  );
  const { id, createdAt } = made;
  const { updatedAt } = await found(world, 'posts', 'hello');
  assert.is(
    read(world, 'content/posts/hello.md'),
    `---\ntitle: Again\ntags:\n  - "no"\n  - "2026-01-01"\n_document:\n  id: ${/^[A-Z]/i.test(id) ? id : `"${id}"`}\n` +
      `  status: published\n  createdAt: "${createdAt}"\n  updatedAt: "${updatedAt}"\n---\n# One\n\nTwo.\n\n`,
  );
  assert.equal(Object.keys((await found(world, 'posts', 'hello')).data), ['title', 'body', 'tags']);
  await content.update('posts', 'hello', { slug: 'renamed' });
  await settled(world);
  assert.equal(
    git(world.repository, 'ls-tree', '-r', '--name-only', 'main', 'content').trim(),
    'content/posts/renamed.md',
  );
  await sameRebuilt(world);
  const { history } = world.cms.site;
  const { entries } = await history.history('posts', id, { offset: 0 });
  assert.equal(
    entries.map(({ event, fields }) => [event, ...fields]),
    [
      ['document.renamed', 'slug'],
      ['document.updated', 'title'],
      ['document.created', 'body', 'tags', 'title'],
    ],
  );
  const first = await history.version('posts', id, entries[2]!.commit);
  assert.equal(JSON.parse(String(first.body)), made);
});

test('a file by hand is a document with the id and the time of the commit that added it, in both formats', async () => {
  await using world = await makeViewsWorld(CONFIG);
  const commit = await push(world, {
    'content/posts/by-hand.md': '\ufeff---\r\ntitle: By hand\r\n---\r\nHello,\r\n\r\nworld.\r\n',
    'content/notes/by-hand.json': '{"data":{"title":"By hand"}}',
    'content/posts/bare.md': '---\n---\n',
  });
  const at = new Date(Number(git(world.repository, 'show', '-s', '--format=%at', commit)) * 1000).toISOString();
  const { content, site } = world.cms;
  const post = await found(world, 'posts', 'by-hand');
  const note = await found(world, 'notes', 'by-hand');
  for (const doc of [post, note]) {
    assert.match(doc.id, /^(?=.*[A-Z])[0-9A-Za-z]{12}$/);
    assert.equal([doc.status, doc.createdAt, doc.updatedAt], ['published', at, at]);
  }
  assert.is.not(post.id, note.id);
  assert.equal(post.data, { title: 'By hand', body: 'Hello,\n\nworld.' });
  assert.equal((await found(world, 'posts', 'bare')).data, {});
  await sameRebuilt(world);

  await push(world, { 'content/posts/by-hand.md': '---\ntitle: Changed by hand\n---\nHello.\n' });
  const changed = await found(world, 'posts', 'by-hand');
  assert.equal([changed.id, changed.createdAt, changed.data.title], [post.id, at, 'Changed by hand']);
  await sameRebuilt(world);

  await content.update('posts', 'by-hand', { data: { tags: ['one'] } });
  await content.update('notes', 'by-hand', { status: 'draft' });
  await settled(world);
  assert.match(read(world, 'content/posts/by-hand.md'), `id: ${/^[A-Z]/i.test(post.id) ? post.id : `"${post.id}"`}\n`);
  assert.is(JSON.parse(read(world, 'content/notes/by-hand.json')).id, note.id);
  await sameRebuilt(world);
  const { entries } = await site.history.history('posts', 'by-hand', { offset: 0 });
  assert.equal(
    entries.map(({ event, fields }) => [event, ...fields]),
    [
      ['document.updated', 'tags'],
      ['document.updated', 'title', 'body'],
      ['document.created', 'title', 'body'],
    ],
  );
  assert.equal(JSON.parse(String((await site.history.version('posts', post.id, commit)).body)), post);

  await push(world, { 'content/posts/by-hand.md': '---\ntitle: Without an id again\n---\nHello.\n' });
  assert.is((await found(world, 'posts', 'by-hand')).id, post.id);
  await sameRebuilt(world);
});

test('a file that gets another name in git keeps its id, and the feed says where it is', async () => {
  await using world = await makeViewsWorld(CONFIG);
  const { content, site } = world.cms;
  const { id } = await content.create('posts', { slug: 'one', data: { title: 'One', body: 'Text' } });
  await settled(world);
  const text = read(world, 'content/posts/one.md');
  const commit = await push(world, { 'content/posts/one.md': null, 'content/posts/two.md': text });
  assert.is((await found(world, 'posts', 'two')).id, id);
  const [newest] = (await site.history.history('posts', id, { offset: 0 })).entries;
  assert.equal([newest?.event, newest?.fields, newest?.commit], ['document.renamed', ['slug'], commit]);
  await push(world, {
    'content/posts/two.md': null,
    'content/posts/two.json': JSON.stringify({ id, data: { title: 'J' } }),
  });
  assert.equal((await found(world, 'posts', 'two')).data, { title: 'J' });
  await sameRebuilt(world);
});

test('a change of ours on a file by hand, pushed over meanwhile, keeps both sides', async () => {
  await using world = await makeViewsWorld(CONFIG);
  const { content } = world.cms;
  await push(world, { 'content/posts/a.md': '---\ntitle: A\n---\nFirst.\n\nSecond.\n\nThird.\n' });
  const { id } = await found(world, 'posts', 'a');
  await settled(world);
  const writing = content.update('posts', 'a', { data: { body: 'First.\n\nSecond.\n\nThird, ours.' } });
  commitBeside(
    world.repository,
    { 'content/posts/a.md': '---\ntitle: A of theirs\n---\nFirst, theirs.\n\nSecond.\n\nThird.\n' },
    undefined,
    'refs/heads/main',
  );
  await writing;
  await settled(world);
  await world.settle();
  const doc = await found(world, 'posts', 'a');
  assert.equal(
    [doc.id, doc.data.title, doc.data.body],
    [id, 'A of theirs', 'First, theirs.\n\nSecond.\n\nThird, ours.'],
  );
  await sameRebuilt(world);
});

test.run();
