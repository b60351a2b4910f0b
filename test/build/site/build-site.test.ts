// The static builder, from a commit to a folder of files, with a small theme of the tests' own.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSiteTheme } from '../../../src/build/site/open-site-theme.ts';
import type { SiteTheme } from '../../../src/build/site/pages/site-theme.ts';
import { PlanError } from '../../../src/build/site/plan/plan-error.ts';
import { STAGING } from '../../../src/build/site/write/file-list.ts';
import { ThemeError } from '../../../src/build/theme/theme-error.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { makeBuildWorld, type TestDocument } from './build-world.ts';
import { plainTheme } from './plain-theme.ts';
import { COLOPHON, GRACE } from './small-repository.ts';

const CONFIG: SiteConfigInput = {
  defaultLocale: 'en',
  locales: ['en', 'de'],
  collections: [
    {
      name: 'posts',
      label: 'Journal',
      urlPrefix: '/journal',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'date', type: 'date' },
        { name: 'body', type: 'richtext' },
        { name: 'tags', type: 'tags' },
        { name: 'friend', type: 'relation', collection: 'posts' },
        { name: 'friends', type: 'relation', collection: 'posts', multiple: true },
        { name: 'image', type: 'image' },
      ],
    },
    {
      name: 'pages',
      urlPattern: '/:slug',
      parentField: 'parent',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'parent', type: 'relation', collection: 'pages' },
      ],
    },
    { name: 'settings', kind: 'global', fields: [{ name: 'title', type: 'text' }] },
  ],
  build: { baseUrl: 'https://example.com', siteName: 'A & B' },
};

test('a site has a page for each document, lists, a home page, tags and the files beside them', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put(
    { slug: 'hello', data: { tags: ['Ink', 'Päper'], date: '2026-01-01' } },
    { slug: 'hallo', locale: 'de', data: { tags: ['Ink'] } },
    { slug: 'secret', status: 'draft' },
    { collection: 'pages', slug: 'about' },
    { collection: 'pages', slug: 'team', data: { parent: 'about' } },
  );
  world.commit();
  const built = await world.build();
  assert.equal(
    built.files.map(({ path }) => path).filter((file) => !/^(?:search|assets)\//.test(file)),
    [
      '404.html',
      'about/index.html',
      'about/team/index.html',
      'de/feed.xml',
      'de/index.html',
      'de/journal/hallo/index.html',
      'de/journal/index.html',
      'de/tags/ink/index.html',
      'feed.xml',
      'index.html',
      'journal/hello/index.html',
      'journal/index.html',
      'llms.txt',
      'robots.txt',
      'sitemap.xml',
      'tags/ink/index.html',
      'tags/paeper/index.html',
    ],
  );
  assert.not.ok(JSON.stringify(world.log).includes('secret'));
  for (const { path } of built.files) assert.not.match(world.read(path)!, 'secret');
  assert.match(world.read('sitemap.xml')!, '<loc>https://example.com/about/team/</loc>');
});

/** Runs a build that must fail, and returns what it says is wrong. */
async function problemsOf(build: Promise<unknown>): Promise<readonly string[]> {
  try {
    await build;
  } catch (error) {
    if (error instanceof PlanError) return error.problems;
    throw error;
  }
  throw new Error('the build did not fail');
}

const rename = (id: string, status = ''): string =>
  `change\n\nEvent: document.renamed\nDocument-Id: ${id}\nFields: slug${status}`;

test('the old addresses of a renamed document lead to its present one', async () => {
  await using world = makeBuildWorld(CONFIG);
  const move = (from: string, to: string, rest: object, message: string, committer = COLOPHON): void => {
    world.repository.files.delete(`content/posts/${from}.json`);
    world.put({ id: 'Renamed00001', slug: to, ...rest });
    world.repository.commit(message, committer);
  };
  world.put({ id: 'Renamed00001', slug: 'one' });
  world.commit();
  await world.build();
  move('one', 'two', {}, rename('Renamed00001'));
  assert.equal((await world.build()).redirects, [{ from: '/journal/one/', to: '/journal/two/' }]);
  // What it is called as a draft is nobody's business.
  move('two', 'secret', { status: 'draft' }, rename('Renamed00001', '\nStatus: draft'));
  assert.equal((await world.build()).redirects, []);
  move('secret', 'three', {}, 'By hand', GRACE);
  const { redirects } = await world.build({ writesRedirects: true });
  assert.equal(redirects, [
    { from: '/journal/two/', to: '/journal/three/' },
    { from: '/journal/one/', to: '/journal/three/' },
  ]);
  assert.is(world.read('_redirects'), '/journal/two/ /journal/three/ 301\n/journal/one/ /journal/three/ 301\n');
  // Another document takes the address.
  world.put({ slug: 'one' });
  world.commit();
  assert.equal((await world.build()).redirects, [{ from: '/journal/two/', to: '/journal/three/' }]);
  assert.equal((await world.build({ isFull: true })).redirects, [{ from: '/journal/two/', to: '/journal/three/' }]);
});

test('the pages below a renamed page move with it', async () => {
  await using world = makeBuildWorld(CONFIG);
  const page = (slug: string, rest: TestDocument['data'] = {}, id?: string): void =>
    world.put({ collection: 'pages', slug, data: rest, ...(id ? { id } : {}) });
  page('about', {}, 'About0000001');
  page('team', { parent: 'about' });
  page('ines', { parent: 'team' });
  world.commit();
  world.repository.files.delete('content/pages/about.json');
  page('house', {}, 'About0000001');
  page('team', { parent: 'house' });
  world.commit();
  const { redirects } = await world.build();
  assert.equal(redirects.map(({ from, to }) => `${from} ${to}`).sort(), [
    '/about/ /house/',
    '/about/team/ /house/team/',
    '/about/team/ines/ /house/team/ines/',
  ]);
});

test('two documents at one address are an error that names both, and the old site stays', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put({ collection: 'pages', slug: 'home' });
  world.commit();
  await world.build();
  const before = world.read('index.html');
  world.put({ collection: 'pages', slug: 'index' });
  world.commit();
  const [problem = ''] = await problemsOf(world.build());
  assert.match(problem, '"pages/home"');
  assert.match(problem, '"pages/index"');
  assert.is(world.read('index.html'), before);
});

test('parents in a circle are an error that names them', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put(
    { collection: 'pages', slug: 'a', data: { parent: 'b' } },
    { collection: 'pages', slug: 'b', data: { parent: 'a' } },
  );
  world.commit();
  const [problem = ''] = await problemsOf(world.build());
  assert.match(problem, '"pages/a"');
  assert.match(problem, '"pages/b"');
});

test('what is not published is left out wherever it is named', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put(
    { slug: 'hello', data: { friend: 'secret', friends: ['secret', 'other'] } },
    { slug: 'other' },
    { slug: 'secret', status: 'draft' },
    { collection: 'pages', slug: 'veiled', status: 'archived' },
    { collection: 'pages', slug: 'beneath', data: { parent: 'veiled' } },
  );
  world.commit();
  const { files } = await world.build();
  for (const { path } of files) assert.not.match(world.read(path)!, /secret|veiled|beneath/);
  assert.match(world.read('journal/hello/index.html')!, '/journal/other/');
  await world.build({ drafts: true, isPreview: true });
  assert.ok(world.read('journal/secret/index.html'));
  assert.ok(world.read('veiled/beneath/index.html'));
  assert.match(world.read('robots.txt')!, 'Disallow: /');
});

test('a build makes only the pages that a change touches', async () => {
  await using world = makeBuildWorld(CONFIG);
  const slugs = Array.from({ length: 60 }, (_, i) => `p${i}`);
  const date = (i: number): string => new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10);
  for (const [i, slug] of slugs.entries()) world.put({ slug, data: { date: date(i), tags: [`t${i % 3}`], body: 'x' } });
  world.commit();
  await world.build();
  const made = async (): Promise<string[]> => {
    const theme = plainTheme({ 'layouts/default': 'default' });
    const pages: string[] = [];
    const { render } = theme;
    await world.build(
      {},
      { ...theme, render: (layouts, scope, context) => (pages.push(context.path), render(layouts, scope, context)) },
    );
    return pages.sort();
  };
  assert.equal(await made(), []);
  world.put({ slug: 'p30', data: { date: date(30), tags: ['t0'], body: 'y', description: 'new' } });
  world.commit();
  // Its page, and the lists that show its description.
  assert.equal(await made(), ['/journal/p30/', '/journal/page/2/', '/page/2/', '/tags/t0/']);
  world.put({ slug: 'p30', data: { date: date(30), tags: ['t0'], body: 'z', description: 'new' } });
  world.commit();
  assert.equal(await made(), ['/journal/p30/']);
});

test('a page that is gone takes its file and its folders along, and files of others stay', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put({ slug: 'hello' }, { slug: 'other' });
  world.commit();
  await world.build();
  fs.writeFileSync(path.join(world.folder, 'dist', 'CNAME'), 'example.com\n');
  world.repository.files.delete('content/posts/hello.json');
  world.commit();
  await world.build();
  assert.not.ok(fs.existsSync(path.join(world.folder, 'dist', 'journal', 'hello')));
  assert.is(world.read('CNAME'), 'example.com\n');
  assert.not.ok(fs.existsSync(path.join(world.folder, 'dist', STAGING)));
});

test('a folder with files that no build made is left alone', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put({ slug: 'hello' });
  world.commit();
  const outDir = path.join(world.folder, 'mine');
  fs.mkdirSync(outDir);
  fs.writeFileSync(path.join(outDir, 'index.html'), 'mine');
  assert.is((await problemsOf(world.build({ outDir }))).length, 1);
  assert.equal(fs.readdirSync(outDir), ['index.html']);
  assert.is(world.read('index.html', outDir), 'mine');
});

test('the site is not written through a symbolic link', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put({ slug: 'hello' });
  world.commit();
  await world.build();
  const outside = path.join(world.folder, 'outside');
  const inside = path.join(world.folder, 'dist', 'journal');
  fs.renameSync(inside, outside);
  fs.symlinkSync(outside, inside);
  world.put({ slug: 'hello', data: { body: 'new' } });
  world.commit();
  await problemsOf(world.build());
  assert.not.match(fs.readFileSync(path.join(outside, 'hello', 'index.html'), 'utf8'), 'new');
});

test('a build that cannot write leaves the old site as it was', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put({ slug: 'hello' });
  world.commit();
  await world.build();
  const before = world.read('journal/hello/index.html');
  world.put({ slug: 'hello', data: { body: 'new' } });
  world.commit();
  // A file where the state's folder should be: as a full disk, it is met when everything else is written.
  const stateFolder = path.join(world.folder, 'content.git', 'HEAD', 'state');
  fs.writeFileSync(path.join(world.folder, 'content.git', 'HEAD'), '');
  let code: string | undefined;
  try {
    await world.build({ stateFolder });
  } catch (error) {
    code = (error as NodeJS.ErrnoException).code;
  }
  assert.is(code, 'ENOTDIR');
  assert.is(world.read('journal/hello/index.html'), before);
  await world.build();
  assert.match(world.read('journal/hello/index.html')!, 'new');
});

test('a file that was changed by hand is made again', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put({ slug: 'hello' });
  world.commit();
  await world.build();
  const file = path.join(world.folder, 'dist', 'journal', 'hello', 'index.html');
  const before = fs.readFileSync(file, 'utf8');
  fs.appendFileSync(file, 'x');
  await world.build();
  assert.is(fs.readFileSync(file, 'utf8'), before);
});

test('HTML and template code in every text are shown as text by the built-in theme', async () => {
  await using world = makeBuildWorld(CONFIG);
  const text = '<script>alert(1)</script>{{ site.name }}{% raw %}"\'';
  world.put(
    { slug: 'hello', data: { title: text, body: text, tags: [text], date: text, image: text, extra: text } },
    { collection: 'settings', slug: 'site', data: { title: text } },
  );
  world.commit();
  const theme = await openSiteTheme({ config: parseConfig(CONFIG), themeFolder: undefined });
  const { files } = await world.build({}, theme);
  for (const { path: file } of files.filter((one) => /\.(?:html|xml)$/.test(one.path))) {
    assert.not.match(world.read(file)!, '<script>alert');
  }
  assert.match(world.read('journal/hello/index.html')!, '{{ site.name }}');
});

test('an error of a theme has its file, line and document, and the old site stays', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put({ slug: 'hello' });
  world.commit();
  await world.build();
  const before = world.read('journal/hello/index.html');
  const themeFolder = path.join(world.folder, 'theme');
  fs.mkdirSync(path.join(themeFolder, 'layouts'), { recursive: true });
  fs.writeFileSync(path.join(themeFolder, 'layouts', 'posts.liquid'), 'one\n{{ document.title | shout }}\n');
  const theme = await openSiteTheme({ config: parseConfig(CONFIG), themeFolder });
  const [problem = ''] = await problemsOf(world.build({}, theme));
  assert.match(problem, 'layouts/posts.liquid:2');
  assert.match(problem, '"posts/hello"');
  assert.is(world.read('journal/hello/index.html'), before);
});

test('a page whose text has marks without end is published with its words, and the log names its document', async () => {
  await using world = makeBuildWorld(CONFIG);
  const hostile = '_a'.repeat(30_000);
  world.put(
    { slug: 'hostile', data: { body: `Before.\n\n${hostile}\n\n*After.*` } },
    { slug: 'other', data: { body: '*b*' } },
  );
  world.commit();
  const theme = await openSiteTheme(world.order());
  for (const build of ['the first', 'the next']) {
    world.log.length = 0;
    await world.build({}, theme);
    const page = world.read('journal/hostile/index.html') ?? '';
    assert.ok(page.includes(`<p>${hostile}</p>`) && page.includes('<em>After.</em>'), build);
    assert.ok(world.read('journal/other/index.html')?.includes('<em>b</em>'));
    const warnings = world.log.filter((line) => line.startsWith('warning: '));
    assert.is(warnings.filter((line) => line.includes('document "posts/hostile": a part of a text')).length, 1, build);
    assert.is(warnings.filter((line) => line.includes('posts/other')).length, 0, build);
  }
});

test('a page over its time has the words of its document, and a theme that is late on other pages ends the build', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put({ slug: 'late', data: { body: '<b>bold</b> & words' } });
  world.commit();
  const theme = plainTheme({});
  const late = (isLate: (layout: string) => boolean): SiteTheme => ({
    ...theme,
    render(layouts, scope, context) {
      if (!isLate(layouts[0]!)) return theme.render(layouts, scope, context);
      throw new ThemeError('layouts/default.liquid', 'template render limit exceeded', { isLate: true });
    },
  });
  await world.build(
    {},
    late((layout) => layout === 'posts'),
  );
  const page = world.read('journal/late/index.html') ?? '';
  assert.match(page, '&lt;b&gt;bold&lt;/b&gt; &amp; words');
  assert.ok(
    world.log.some((line) => /^warning: document "posts\/late": .*render limit/.test(line)),
    world.log.join(''),
  );
  const refused = await world
    .build(
      { isFull: true },
      late((layout) => layout !== 'posts'),
    )
    .catch((error) => error);
  assert.ok(refused instanceof PlanError);
});

test.run();
