// The index on the disk only makes starts quick: without it, or with a broken one, the service serves the same.
import { globSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CONFIG, eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';

async function openedFrom(service: Service): Promise<string> {
  return eventually(() => {
    const line = service.log().find(({ msg }) => msg === 'site is open');
    assert.ok(line);
    return String(line?.from);
  }, 10_000);
}

/** Everything that is computed from the repository, as readers see it. */
async function readEverything(service: Service, cookie: string): Promise<string> {
  const client = service.client(cookie);
  const paths = [
    '/api/cms/posts',
    '/api/cms/posts?orderBy=title&order=asc&limit=3&offset=2',
    '/api/cms/posts?status=published&fields=title',
    '/api/cms/posts/post-3',
    '/api/content/posts/post-3/_fieldMeta',
    '/api/search?q=third',
    '/api/search?q=number&limit=500',
  ];
  const replies = await Promise.all(paths.map((path) => client.get(path)));
  for (const reply of replies) assert.is(reply.status, 200, reply.text);
  return replies.map(({ text, headers }) => `${headers.etag ?? ''} ${text}`).join('\n');
}

async function write(service: Service, cookie: string): Promise<void> {
  const client = service.client(cookie);
  for (let n = 0; n < 12; n++) {
    const data = { title: `Number ${n}`, body: n === 3 ? 'The third' : `Text ${n}` };
    const reply = await client.post('/api/cms/posts', {
      slug: `post-${n}`,
      status: n % 2 ? 'published' : 'draft',
      data,
    });
    assert.is(reply.status, 200, reply.text);
  }
  await client.send('PUT', '/api/content/posts/post-3/_fieldMeta/title/lock', { reason: 'mine' });
  await client.patch('/api/cms/posts/post-4', { slug: 'renamed' });
  await client.send('DELETE', '/api/cms/posts/post-5');
}

function indexFiles(place: Place): string[] {
  const folder = join(place.dataDir, 'sites', 'default', 'index');
  return globSync('**/*', { cwd: folder })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile());
}

test('a start after a clean stop loads the saved index, and so does one after a kill', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  await write(service, cookie);
  const before = await readEverything(service, cookie);
  assert.is((await service.stop()).code, 0);
  assert.ok(indexFiles(place).length > 0);

  service = await place.start();
  assert.is(await openedFrom(service), 'snapshot');
  assert.is(await readEverything(service, cookie), before);
  // Changes made after the index was saved are applied on top of it, even what was made and deleted since.
  const client = service.client(cookie);
  await client.post('/api/cms/posts', { slug: 'late', data: { title: 'Late number' } });
  await client.post('/api/cms/posts', { slug: 'brief', data: { title: 'Brief number' } });
  await client.send('DELETE', '/api/cms/posts/brief');
  await client.send('DELETE', '/api/cms/posts/post-7');
  await client.patch('/api/cms/posts/renamed', { slug: 'post-4' });
  const after = await readEverything(service, cookie);
  await service.kill();

  service = await place.start();
  assert.is(await openedFrom(service), 'snapshot');
  assert.is(await readEverything(service, cookie), after);
});

test('a large site killed after its index was saved finds what was written since, and not what was deleted', async () => {
  const numbers = Array.from({ length: 1100 }, (_, n) => n);
  const starter = numbers.map((n) => [`posts/post-${n}.json`, toPost(n, 'early')]);
  await using place = makePlace({ files: Object.fromEntries(starter) });
  let service = await place.start();
  const cookie = await setUp(service);
  let client = service.client(cookie);
  const total = async (q: string): Promise<string> => {
    const reply = await client.get(`/api/search?q=${q}&limit=1`);
    assert.is(reply.status, 200, reply.text);
    return String(reply.headers['x-total-count']);
  };
  assert.is(await total('early'), '1100');
  assert.is((await service.stop()).code, 0);

  service = await place.start();
  assert.is(await openedFrom(service), 'snapshot');
  client = service.client(cookie);
  assert.is(await total('early'), '1100');
  await Promise.all(
    numbers.slice(0, 60).map(async (n) => {
      const slug = `post-${n}`;
      if (n < 20) await client.send('DELETE', `/api/cms/posts/${slug}`);
      else if (n < 40) await client.patch(`/api/cms/posts/${slug}`, { slug: `moved-${n}` });
      else await client.patch(`/api/cms/posts/${slug}`, toPost(n, 'late'));
    }),
  );
  await client.post('/api/cms/posts', toPost(2000, 'late'));
  await service.kill();

  service = await place.start();
  assert.is(await openedFrom(service), 'snapshot');
  client = service.client(cookie);
  assert.is(await total('early'), '1060');
  assert.is(await total('late'), '21');
  assert.is(await total('moved'), '20');
  assert.is(await total('n7n'), '0');
  const { json } = await client.get('/api/search?q=n45n');
  assert.equal(
    json.map(({ slug, title }: { slug: string; title: string }) => [slug, title]),
    [['post-45', 'late n45n']],
  );
});

function toPost(n: number, word: string): object {
  return { slug: `post-${n}`, data: { title: `${word} n${n}n` } };
}

test('without its index a site is read from the repository and serves the same', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  await write(service, cookie);
  const before = await readEverything(service, cookie);
  for (const end of ['stop', 'kill'] as const) {
    await service[end]();
    rmSync(join(place.dataDir, 'sites', 'default', 'index'), { recursive: true, force: true });
    service = await place.start();
    assert.is(await openedFrom(service), 'repository');
    assert.is(await readEverything(service, cookie), before);
  }
});

const WITHIN = new Set(['the middle', 'a third', 'everywhere within']);

test('a damaged saved index is not used, wherever the damage is', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  await write(service, cookie);
  const before = await readEverything(service, cookie);
  await service.stop();
  const originals = indexFiles(place).map((file) => ({ file, bytes: readFileSync(file) }));
  const damages: Record<string, (file: string, bytes: Buffer) => void> = {
    'the first byte': (file, bytes) => writeFileSync(file, flip(bytes, 0)),
    'the middle': (file, bytes) => writeFileSync(file, flip(bytes, bytes.length >> 1)),
    'a third': (file, bytes) => writeFileSync(file, flip(bytes, Math.floor(bytes.length / 3))),
    'everywhere within': (file, bytes) => writeFileSync(file, Buffer.from(bytes).fill(0x55, 8, bytes.length >> 1)),
    'the last byte': (file, bytes) => writeFileSync(file, flip(bytes, bytes.length - 1)),
    'cut short': (file, bytes) => truncateSync(file, bytes.length - 10),
    'cut to half': (file, bytes) => truncateSync(file, bytes.length >> 1),
    empty: (file) => writeFileSync(file, ''),
    zeros: (file, bytes) => writeFileSync(file, Buffer.alloc(bytes.length)),
    'something else': (file) => writeFileSync(file, 'hello'),
  };
  for (const [name, damage] of Object.entries(damages)) {
    for (const { file, bytes } of originals) {
      writeFileSync(file, bytes);
      damage(file, bytes);
    }
    service = await place.start();
    // Rows are checked one by one as they are loaded: the others may be used.
    if (!WITHIN.has(name)) assert.is(await openedFrom(service), 'repository', name);
    assert.is(await readEverything(service, cookie), before, name);
    await service.kill();
  }
});

function flip(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 0xff;
  return copy;
}

test('a saved index of another configuration is not used', async () => {
  await using place = makePlace();
  let service = await place.start();
  const cookie = await setUp(service);
  await write(service, cookie);
  await service.stop();
  const [posts] = CONFIG.collections;
  const collections = [
    { ...posts, fields: [...posts!.fields, { name: 'rank', type: 'number' }] },
    { name: 'notes', fields: [] },
  ];
  writeFileSync(place.configPath, JSON.stringify({ collections }));
  service = await place.start();
  assert.is(await openedFrom(service), 'repository');
  assert.is((await service.client(cookie).get('/api/cms/posts')).json.total, 11);
  assert.is((await service.client(cookie).get('/api/cms/notes')).json.total, 0);
});

test.run();
