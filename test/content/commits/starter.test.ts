// The documents beside the configuration: the first commit of an empty site, and of no other.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CONFIG, makeWorld, START } from '../../support/world.ts';

const HELLO = {
  id: 'a1B2c3D4e5F6',
  slug: 'hello',
  collection: 'posts',
  status: 'published',
  createdAt: '2025-01-01T00:00:00.000Z',
  updatedAt: '2025-02-01T00:00:00.000Z',
  data: { title: 'Hello', own: 1 },
};

test('starter documents become one commit with their own content', async () => {
  const starter = {
    'posts/hello.json': JSON.stringify(HELLO),
    'notes/n.json': JSON.stringify({ data: { title: 'N' } }),
  };
  await using world = await makeWorld({ starter });
  assert.equal((await world.admin.get('/api/cms/posts/hello')).json, HELLO);
  const { id, ...note } = (await world.admin.get('/api/cms/notes/n')).json;
  assert.match(id, /^(?=.*[A-Z])[0-9A-Za-z]{12}$/);
  assert.equal(note, {
    slug: 'n',
    collection: 'notes',
    status: 'draft',
    createdAt: START,
    updatedAt: START,
    data: { title: 'N' },
  });
  const events = await world.events();
  assert.is(events.length, 1);
  assert.is(events[0]?.trailers.Event, 'content.imported');
  assert.is(events[0]?.trailers.Actor, 'import');
  assert.is((await world.admin.get('/api/search?q=hello')).json.length, 1);
});

test('a later start leaves the site as it is, and names the documents of the folder that differ', async () => {
  const starter = {
    'posts/hello.json': JSON.stringify(HELLO),
    'notes/n.json': JSON.stringify({ data: { title: 'N' } }),
  };
  await using world = await makeWorld({ starter });
  const planted = () => world.logged.map(({ msg }) => String(msg)).filter((line) => line.includes('was planted once'));
  await world.restart();
  assert.equal(planted(), []);
  await world.admin.patch('/api/cms/posts/hello', { data: { title: 'Edited' } });
  await world.restart();
  assert.is(planted().length, 1);
  assert.match(planted()[0]!, "one document differs from the site's, which stay as they are: posts/hello.json;");
  assert.is((await world.admin.get('/api/cms/posts/hello')).json.data.title, 'Edited');
});

test('a file that is not a document of a collection is named in the log and left out', async () => {
  const starter = {
    'posts/hello.json': JSON.stringify(HELLO),
    'posts/second.json': JSON.stringify({ ...HELLO, slug: 'second' }),
    'posts/broken.json': '{',
    'posts/wrong.json': JSON.stringify({ data: { rank: 'x' } }),
    'posts/bare.json': JSON.stringify({ status: 'published', data: {} }),
    'posts/Bad Slug.json': JSON.stringify({ data: {} }),
    'posts/slip.json': JSON.stringify({ stauts: 'published', data: {} }),
    'posts/conflict.md': '---\ntitle: C\n---\n<<<<<<< a\n=======\n>>>>>>> b\n',
    'posts/folder.json/x.txt': 'not a document',
    'posts/readme.md': '# not a document',
    'nowhere/a.json': JSON.stringify(HELLO),
    'src/index.ts': '',
    'package.json': '{}',
  };
  await using world = await makeWorld({ starter });
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 1);
  const lines = world.logged.map(({ msg }) => String(msg)).filter((line) => line.startsWith('starter content'));
  const named = [
    'second.json',
    'Bad Slug.json',
    'bare.json',
    'broken.json',
    'nowhere',
    'wrong.json',
    'slip.json',
    'conflict.md',
  ];
  assert.is(lines.length, named.length, lines.join('\n'));
  for (const name of named)
    assert.ok(
      lines.some((line) => line.includes(name)),
      name,
    );
});

test('a data folder beside the configuration is not content, ours or another service’s, wherever it is', async () => {
  const dataFolder = { 'lock.sqlite': '', 'users.json': '{"version":1,"users":[]}', secret: 'x'.repeat(64) };
  const under = (folder: string): Record<string, string> =>
    Object.fromEntries(Object.entries(dataFolder).map(([name, text]) => [`${folder}/${name}`, text]));
  const starter = {
    'posts/hello.json': JSON.stringify(HELLO),
    ...under('data'),
    ...under('notes'),
    ...under('media/data'),
    'media/data/sites/default/cover.json': '{"a":1}',
    'media/pictures/kept.json': '{"a":1}',
  };
  await using world = await makeWorld({ starter });
  const lines = world.logged.map(({ msg }) => String(msg)).filter((line) => line.startsWith('starter content'));
  assert.equal(lines, []);
  const media = (await world.admin.get('/api/media')).json;
  assert.equal(
    media.files.map(({ url }: { url: string }) => url),
    ['/uploads/pictures/kept.json'],
  );
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 1);
});

test('a site that has a history gets no starter, whatever became of its documents', async () => {
  await using world = await makeWorld({ starter: { 'posts/hello.json': JSON.stringify(HELLO) } });
  await world.admin.delete('/api/cms/posts/hello');
  await world.restart();
  assert.is((await world.admin.get('/api/cms/posts')).json.total, 0);
  assert.is((await world.events()).length, 2);
});

test('in a sharded collection the files are sharded', async () => {
  const config = { ...CONFIG, collections: CONFIG.collections.map((one) => ({ ...one, sharded: true })) };
  await using world = await makeWorld({ config, starter: { 'posts/hello.json': JSON.stringify(HELLO) } });
  assert.ok(world.site().store.log.has('content/posts/aa/hello.json'));
});

test('without starter documents an empty site has no commit', async () => {
  await using world = await makeWorld();
  assert.is(world.headCommit(), null);
  assert.equal(await world.events(), []);
  assert.equal((await world.admin.get('/api/cms/posts')).json, { documents: [], total: 0 });
});

test.run();
