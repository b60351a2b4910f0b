// Previews in the site's own theme: the page that readers would get, for the holder of a token alone.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld, type World } from '../../support/world.ts';

async function makePreview(world: World, data?: object, place = 'posts/a') {
  const { status, json, text } = await world.admin.post(`/api/cms/${place}/preview`, data && { data });
  assert.is(status, 200, text);
  return { ...json, at: json.url && new URL(json.url).pathname };
}

const open = (world: World, address: string) => world.anonymous.get(address);

async function makeDraft(options: Parameters<typeof makeWorld>[0] = {}): Promise<World> {
  const world = await makeWorld(options);
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'Saved', body: 'First *text*' } });
  return world;
}

test('without a frontend the service shows a draft as a page of the theme, and what was typed at once', async () => {
  await using world = await makeDraft();
  const { url, shownBy, token, at } = await makePreview(world);
  assert.equal([url, shownBy], [`${world.url}/preview/${token}`, 'theme']);
  const page = await open(world, at);
  assert.is(page.status, 200, page.text);
  assert.match(page.headers['content-type'] ?? '', /^text\/html/);
  assert.match(page.text, /<em>text<\/em>/);
  assert.match(page.text, /<meta name="robots" content="noindex/);
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /^sandbox allow-scripts/);
  assert.not(policy.includes('allow-same-origin'));
  assert.is(page.headers['x-frame-options'], undefined);
  assert.is(page.headers['cache-control'], 'no-store');

  await world.admin.put(`/api/preview/${token}`, { data: { title: 'Typed <b>', body: 'Second' } });
  const typed = await open(world, at);
  assert.match(typed.text, /Typed &lt;b&gt;/);
  assert.match(typed.text, /Second/);
  assert.not.match(typed.text, /First/);
  assert.is((await world.admin.get('/api/cms/posts/a')).json.data.title, 'Saved');
});

/** From the folder of the style to the root of the theme. */
const UP = '../';

test('the page has the theme’s files, below the token', async () => {
  await using world = await makeDraft({
    starter: {
      'theme/layouts/default.liquid':
        '<html><head><link rel="stylesheet" href="{{ "look.css" | asset_url }}"><style>p { background: url(/logo.svg) }</style></head><body><img src="/logo.svg">{{ document.title }}</body></html>',
      'theme/assets/look.css': '@font-face { src: url("/fonts/a.woff2?v=1") } a { background: url(/uploads/b.png) }',
      'theme/static/fonts/a.woff2': 'font',
      'theme/static/logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    },
  });
  const { at } = await makePreview(world);
  const { text } = await open(world, at);
  const [style, logo] = [...text.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address!);
  assert.ok(style!.startsWith(`${at}/`), style);
  assert.is(logo, `${at}/logo.svg`);
  const css = await open(world, style!);
  assert.is((await open(world, `${style}?v=2`)).status, 200, 'styles may name files so');
  assert.is((await open(world, `${at}?draft=1`)).status, 400);
  assert.equal(
    [css.status, css.text, css.headers['content-type']],
    [
      200,
      `@font-face { src: url("${UP}fonts/a.woff2?v=1") } a { background: url(/uploads/b.png) }`,
      'text/css; charset=utf-8',
    ],
  );
  // As a browser reads it: the page has no origin, so that the font needs a right to be read.
  const font = await open(
    world,
    new URL(`${UP}fonts/a.woff2?v=1`, `${world.url}${style}`).href.slice(world.url.length),
  );
  assert.equal([font.status, font.text, font.headers['access-control-allow-origin']], [200, 'font', '*']);
  assert.ok(text.includes(`url(${at}/logo.svg)`), text);
  assert.match((await open(world, logo!)).headers['content-type'] ?? '', /svg/);
  for (const bad of ['none.css', '..%2f..%2fcms.config.ts', '%00']) {
    assert.ok([400, 404].includes((await open(world, `${at}/${bad}`)).status), bad);
  }
});

test('around it is what readers see: no other draft, and changes of others as they happen', async () => {
  await using world = await makeDraft();
  await world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'Other draft' } });
  await world.admin.post('/api/cms/posts', { slug: 'c', status: 'published', data: { title: 'In public' } });
  const { at } = await makePreview(world, { title: 'Mine' });
  const first = (await open(world, at)).text;
  assert.match(first, /In public/, 'its neighbour');
  assert.not.match(first, /Other draft/);
  await world.admin.patch('/api/cms/posts/c', { data: { title: 'Renamed in public' } });
  const { store } = world.site();
  await store.log.flush();
  assert.match((await open(world, at)).text, /Renamed in public/);
});

test('an ended or forged token has no page; people get a sentence for what has no page', async () => {
  await using world = await makeDraft({
    config: {
      collections: [
        {
          name: 'posts',
          urlPattern: '/:year/:topic/:slug',
          fields: [
            { name: 'title', type: 'text' },
            { name: 'topic', type: 'text' },
          ],
        },
      ],
    },
  });
  const { at, token } = await makePreview(world);
  const none = await open(world, at);
  assert.is(none.status, 200);
  assert.match(none.text, /a part of its address has no value/);
  assert.is((await open(world, `/preview/x${token}`)).status, 404);
  assert.is((await open(world, '/preview/-')).status, 404);
  world.advance(3_600_001);
  assert.is((await open(world, at)).status, 404);
  assert.is((await open(world, `${at}/style.css`)).status, 404);
});

test('an error in a theme is said, and mended without a restart', async () => {
  await using world = await makeDraft({
    starter: { 'theme/layouts/posts.liquid': '{% for %}' },
  });
  const { at } = await makePreview(world);
  const broken = await open(world, at);
  assert.is(broken.status, 200, broken.text);
  assert.match(broken.text, /No preview/);
  assert.match(broken.text, /posts\.liquid/);
  const layouts = path.join(world.dataDir, '../configs/default/theme/layouts');
  writeFileSync(path.join(layouts, 'posts.liquid'), '<p>{{ document.title }}</p>');
  assert.match((await open(world, at)).text, /<p>Saved<\/p>/);
});

test('many readers at once get the same page, and the service stays what it was', async () => {
  await using world = await makeDraft();
  const { at } = await makePreview(world, { title: 'Mine' });
  const before = world.headCommit();
  const answers = await Promise.all(Array.from({ length: 60 }, () => open(world, at)));
  const pages = answers
    .filter(({ status }) => status === 200)
    .map(({ text }) => createHash('sha256').update(text).digest('hex'));
  assert.ok(pages.length >= 32, `${pages.length} pages`);
  assert.is(new Set(pages).size, 1);
  for (const { status, headers } of answers) {
    if (status !== 200) assert.equal([status, headers['retry-after']], [429, '2'], 'over the share of one address');
  }
  assert.is(world.headCommit(), before);
});

test('a draft whose marks have no end is shown as it is written, and holds up no preview of others', async () => {
  await using world = await makeDraft();
  await world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'Beside', body: '*b*' } });
  const hostile = '_a'.repeat(150_000);
  const [one, other] = [await makePreview(world, { body: hostile }), await makePreview(world, undefined, 'posts/b')];
  // The first page of a site waits for all of it.
  await open(world, other.at);
  const startedMs = performance.now();
  const [hostiles, beside] = await Promise.all([
    Promise.all([1, 2, 3].map(() => open(world, one.at))),
    open(world, other.at),
  ]);
  assert.ok(performance.now() - startedMs < 20_000, `${performance.now() - startedMs} ms`);
  assert.equal([beside.status, beside.text.includes('<em>b</em>')], [200, true]);
  for (const { status, text } of hostiles) assert.equal([status, text.includes(hostile)], [200, true]);
});

test('a site that a command builds has no page of the theme', async () => {
  await using world = await makeDraft({
    config: {
      build: { command: 'true', outDir: 'out' },
      collections: [{ name: 'posts', fields: [{ name: 'title', type: 'text' }] }],
    },
  });
  const { url, shownBy } = await makePreview(world);
  assert.equal([url, shownBy], [null, null]);
});

test.run();
