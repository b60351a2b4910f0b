// What a start does with its environment, its configuration and the documents next to it.
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { gitDocuments, gitLog } from '../support/git.ts';
import { CONFIG, eventually, makePlace, type Place, type Service, setUp } from '../support/process.ts';

const SHORT_SECRET = 'only-a-short-one';

async function checkRefused(place: Place, env: Record<string, string>, expected: (string | RegExp)[]): Promise<string> {
  const starting = place.spawn(env);
  const { code } = await starting.exited;
  assert.is(code, 1, starting.stdout);
  for (const text of expected) assert.match(starting.stderr, text);
  assert.not.match(starting.stderr, /\n\s+at /); // no stack: these are not bugs
  assert.not.match(starting.stdout, /listening/);
  return starting.stderr;
}

test('every problem of the environment is reported with the name of its variable', async () => {
  await using place = makePlace();
  const env = {
    PORT: '70000',
    CMS_TRUST_PROXY: 'yes',
    CMS_PUBLIC_URL: 'ftp://example.org',
    CMS_SCHEDULER: 'maybe',
    LOG_LEVEL: 'loud',
    SMTP_URL: 'mail.example.org',
  };
  const stderr = await checkRefused(place, env, Object.keys(env));
  assert.is(stderr.trim().split('\n').length, 1 + Object.keys(env).length);
});

test('production does not start with a short CMS_JWT_SECRET, and does not repeat it', async () => {
  await using place = makePlace();
  const production = { NODE_ENV: 'production', CMS_JWT_SECRET: SHORT_SECRET };
  const stderr = await checkRefused(place, production, ['CMS_JWT_SECRET']);
  assert.not.match(stderr, SHORT_SECRET);
  // Outside of production it is accepted; in production a long secret or an absent one is.
  const others: Record<string, string>[] = [{ CMS_JWT_SECRET: SHORT_SECRET }, { NODE_ENV: 'production' }];
  for (const env of others) {
    assert.is((await (await place.start(env)).stop()).code, 0);
  }
});

test('every problem of the only configuration is reported, and the data folder is free again', async () => {
  const title = { name: 'title', type: 'text' };
  const collections = [
    { name: 'media', fields: [] },
    { name: 'posts', fields: [title, title], urlPrefx: '/blog', kind: 'pagge' },
    { name: 'Not A Name', fields: [] },
  ];
  await using place = makePlace({ config: { collections: collections.slice(0, 2), colections: [] } });
  const expected = [
    /"media" is a reserved name/,
    /"title" is used twice/,
    /urlPrefx.*"urlPrefix"/,
    /kind/,
    /"collections"/,
  ];
  const stderr = await checkRefused(place, {}, expected);
  assert.match(stderr, place.configPath);
  writeFileSync(place.configPath, JSON.stringify({ collections: collections.slice(2) }));
  await checkRefused(place, {}, ['collections.0.name']);
  writeFileSync(place.configPath, JSON.stringify(CONFIG));
  assert.is((await (await place.start()).stop()).code, 0);
});

test('a configuration that is missing, broken or not a configuration is reported with its path', async () => {
  await using place = makePlace();
  const broken = join(place.folder, 'content', 'broken.ts');
  writeFileSync(broken, 'export default {{{');
  const empty = join(place.folder, 'content', 'empty.ts');
  writeFileSync(empty, 'export const config = {};');
  const text = join(place.folder, 'content', 'text.json');
  writeFileSync(text, '{"collections": [}');
  for (const CMS_CONFIG_PATH of [join(place.folder, 'missing.ts'), broken, empty, text]) {
    await checkRefused(place, { CMS_CONFIG_PATH }, [CMS_CONFIG_PATH]);
  }
});

test('a TypeScript configuration that imports types and defineConfig loads from any folder', async () => {
  const config = `import { defineConfig } from 'colophon/config';
import type { Anything } from 'colophon/config';
export default defineConfig({ collections: [{ name: 'pages', fields: [{ name: 'title', type: 'text' }] }] });
`;
  await using place = makePlace({ config, configName: 'cms.config.ts' });
  const service = await place.start();
  const cookie = await setUp(service);
  assert.is((await service.client(cookie).get('/api/cms/pages')).status, 200);
});

async function statusOf(service: Service, cookie: string, site: string): Promise<number> {
  return (await service.client(cookie).get(`/api/cms/posts?site=${site}`)).status;
}

test('a broken site among several answers 503 and is named at /readyz, and the others go on', async () => {
  await using place = makePlace();
  mkdirSync(place.dataDir, { recursive: true });
  const site = (id: string) => ({ id, org: 'default', configPath: join(place.folder, id, 'cms.config.json') });
  writeFileSync(join(place.dataDir, 'sites.json'), JSON.stringify({ version: 1, sites: [site('shop'), site('wiki')] }));
  for (const id of ['shop', 'wiki']) mkdirSync(join(place.folder, id));
  writeFileSync(site('wiki').configPath, JSON.stringify(CONFIG));
  writeFileSync(site('shop').configPath, '{"collections": [{"name": "posts", "feelds": []}]}');
  let service = await place.start();
  const cookie = await setUp(service);
  assert.is(await statusOf(service, cookie, 'shop'), 503);
  assert.is(await statusOf(service, cookie, 'wiki'), 200);
  assert.is(await statusOf(service, cookie, 'default'), 200);
  assert.is((await service.client(cookie).post('/api/cms/posts?site=wiki', { data: {} })).status, 200);
  const stranger = await service.client().get('/readyz');
  assert.equal(stranger.json, { ok: false, problems: 1, warnings: 0, error: 'not ready', code: 'unavailable' });
  const ready = await service.client(cookie).get('/readyz');
  assert.is(ready.status, 503);
  assert.is(ready.json.problems.length, 1);
  assert.match(ready.json.problems[0], /shop.*feelds/s);
  assert.is((await service.client().get('/healthz')).status, 200);
  await service.stop();

  // The site of CMS_CONFIG_PATH is then one among several.
  writeFileSync(place.configPath, 'not json');
  writeFileSync(site('shop').configPath, JSON.stringify(CONFIG));
  service = await place.start();
  assert.is(await statusOf(service, cookie, 'default'), 503);
  assert.is(await statusOf(service, cookie, 'shop'), 200);
  assert.match((await service.client(cookie).get('/readyz')).json.problems.join(), 'default');
});

test('a port that is in use ends the start with a message, and frees the data folder', async () => {
  await using place = makePlace();
  using occupied = await occupyPort();
  await checkRefused(place, { PORT: occupied.port }, [occupied.port]);
  assert.is((await (await place.start()).client().get('/readyz')).status, 200);
});

/** A server on a free port, which a start then finds in use. */
async function occupyPort(): Promise<{ port: string } & Disposable> {
  const occupied = createServer();
  await new Promise<void>((done) => occupied.listen(0, '127.0.0.1', done));
  const port = String((occupied.address() as AddressInfo).port);
  return { port, [Symbol.dispose]: () => void occupied.close() };
}

const STARTER = {
  'posts/hello.json': {
    id: 'Abcdefghij01',
    slug: 'hello',
    collection: 'posts',
    status: 'published',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-02T00:00:00.000Z',
    data: { title: 'Hello' },
  },
  'posts/wrong.json': { slug: 'wrong', collection: 'posts', status: 'published', data: { title: 7 } },
  'posts/broken.json': '{"slug": ',
  'recipes/soup.json': { slug: 'soup', collection: 'recipes', status: 'draft', data: {} },
  'posts/readme.txt': 'not a document',
};

test('on an empty data folder the documents next to the configuration become the first commit', async () => {
  await using place = makePlace({ files: STARTER });
  let service = await place.start();
  const cookie = await setUp(service);
  const list = await service.client(cookie).get('/api/cms/posts');
  assert.equal(
    list.json.documents.map(({ slug }: { slug: string }) => slug),
    ['hello'],
  );
  assert.equal(list.json.documents[0], STARTER['posts/hello.json']);
  await eventually(async () => assert.is((await gitLog(place.repository)).length, 1), 10_000);
  assert.equal([...(await gitDocuments(place.repository)).keys()], ['content/posts/hello.json']);
  // The log names each document that was left out, with the reason.
  await eventually(() => {
    const warnings = service
      .log()
      .filter(({ level, msg }) => level === 40 && !/ runs as root/.test(String(msg)))
      .map(({ msg }) => msg);
    assert.is(warnings.length, 3, warnings.join());
    for (const text of ['recipes', 'wrong.json', 'broken.json']) assert.match(warnings.join('\n'), text);
  }, 10_000);

  // Only on an empty one: what was deleted stays deleted, even after a kill.
  assert.is((await service.client(cookie).send('DELETE', '/api/cms/posts/hello')).status, 200);
  await service.kill();
  service = await place.start();
  assert.is((await service.client(cookie).get('/api/cms/posts')).json.total, 0);
  assert.is((await service.stop()).code, 0);
  assert.is((await gitLog(place.repository)).length, 2);
});

test('a start that fails leaves nothing in the data folder, whether the folder existed or not', async () => {
  const files = { ...STARTER, 'broken.ts': 'export default {{{', 'wrong.json': { collections: [{ name: '_x' }] } };
  await using place = makePlace({ files });
  using occupied = await occupyPort();
  const inContent = (name: string): string => join(place.folder, 'content', name);
  for (const isMade of [false, true]) {
    if (isMade) mkdirSync(place.dataDir);
    const left = (): string[] => (existsSync(place.dataDir) ? readdirSync(place.dataDir) : []);
    for (const name of ['missing.ts', 'broken.ts', 'wrong.json']) {
      await checkRefused(place, { CMS_CONFIG_PATH: inContent(name) }, [name]);
      assert.equal([existsSync(place.dataDir), left()], [isMade, []], name);
    }
    await checkRefused(place, { PORT: occupied.port }, [occupied.port]);
    assert.equal([existsSync(place.dataDir), left()], [isMade, []], 'a port that is in use');
  }
  const service = await place.start();
  const cookie = await setUp(service);
  assert.is((await service.client(cookie).get('/api/cms/posts')).json.total, 1);
});

test('a start that cannot listen plants nothing, and the next one plants the documents next to its own configuration', async () => {
  await using place = makePlace({ files: { ...STARTER, 'other/cms.config.json': CONFIG } });
  using occupied = await occupyPort();
  // As the command line leaves it, which can list users before there is a site.
  mkdirSync(place.dataDir);
  writeFileSync(join(place.dataDir, 'key-salt.of-another-version'), '');
  const elsewhere = join(place.folder, 'content', 'other', 'cms.config.json');
  await checkRefused(place, { PORT: occupied.port, CMS_CONFIG_PATH: place.configPath }, [occupied.port]);
  const service = await place.start({ CMS_CONFIG_PATH: elsewhere });
  const cookie = await setUp(service);
  assert.is((await service.client(cookie).get('/api/cms/posts')).json.total, 0);
});

test('the first start says what it plants, where it comes from and where it goes', async () => {
  await using place = makePlace({ files: STARTER });
  const service = await place.start();
  const planted = service.log().find(({ msg }) => /^planted 1 document/.test(String(msg)));
  assert.ok(planted && planted.level === 30, service.stdout);
  assert.match(planted.msg, join(place.folder, 'content'));
  assert.match(planted.msg, join(place.dataDir, 'sites', 'default'));
});

test('the ready line comes after the lines of the sites, open or not', async () => {
  await using place = makePlace();
  mkdirSync(place.dataDir, { recursive: true });
  const broken = { id: 'shop', org: 'default', configPath: join(place.folder, 'missing.json') };
  writeFileSync(join(place.dataDir, 'sites.json'), JSON.stringify({ version: 1, sites: [broken] }));
  const service = await place.start();
  const lines = service.log().map(({ msg, site }) => `${site ?? ''} ${msg}`);
  const at = (text: string): number => lines.findIndex((line) => line.includes(text));
  assert.ok(at('default site is open') >= 0, lines.join('\n'));
  assert.ok(at('shop site cannot be opened') >= 0, lines.join('\n'));
  assert.ok(at('listening on') > Math.max(at('default site is open'), at('shop site cannot be opened')));
});

test('a kill right after the first start leaves the starter content whole', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 50 }, (_, n) => [
      `posts/post-${n}.json`,
      { ...STARTER['posts/hello.json'], id: `Abcdefghi${100 + n}`, slug: `post-${n}` },
    ]),
  );
  await using place = makePlace({ files });
  for (const afterMs of [100, 200, 250, 300, 350]) {
    rmSync(place.dataDir, { recursive: true, force: true });
    const starting = place.spawn();
    await Promise.race([starting.ready, new Promise((later) => setTimeout(later, afterMs))]);
    await starting.kill();
    const service = await place.start();
    const cookie = await setUp(service);
    assert.is((await service.client(cookie).get('/api/cms/posts')).json.total, 50);
    assert.is((await service.stop()).code, 0);
    assert.is((await gitLog(place.repository)).length, 1);
  }
});

test.run();
