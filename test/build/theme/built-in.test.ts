// What the built-in theme promises to a site without one: every field is shown, pages are valid, accessible in both
// schemes, still, light, and ask nothing of other servers.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { HtmlValidate } from 'html-validate';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openSiteTheme } from '../../../src/build/site/open-site-theme.ts';
import { parseConfig } from '../../../src/config/parse.ts';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { findViolations, openBrowser } from '../../support/browser.ts';
import { type BuildWorld, makeBuildWorld } from '../site/build-world.ts';

const ORIGIN = 'http://site.example';
const MOST_BYTES = 100_000;
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
};

const CONFIG: SiteConfigInput = {
  defaultLocale: 'en',
  locales: ['en', 'de'],
  build: { siteName: 'Words & <Things>', baseUrl: ORIGIN },
  blocks: [{ name: 'quote', label: 'Quote', fields: [{ name: 'words', type: 'text' }] }],
  collections: [
    {
      name: 'posts',
      label: 'Journal',
      description: 'What happens.',
      urlPrefix: '/journal',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'subtitle', type: 'text' },
        { name: 'standfirst', type: 'textarea' },
        { name: 'date', type: 'date' },
        { name: 'count', type: 'number' },
        { name: 'open', type: 'boolean' },
        { name: 'kind', type: 'select', options: [{ value: 'a', label: 'Essay' }] },
        { name: 'tags', type: 'tags' },
        { name: 'body', type: 'richtext' },
        { name: 'aside', type: 'richtext', label: 'Aside' },
        { name: 'notes', type: 'textarea', label: 'Notes' },
        { name: 'friend', type: 'relation', collection: 'posts' },
        { name: 'html', type: 'htmldoc' },
        { name: 'gadget', type: 'interactive' },
        { name: 'film', type: 'video' },
        { name: 'talk', type: 'audio' },
        { name: 'paper', type: 'file' },
        { name: 'rows', type: 'array', fields: [{ name: 'a', type: 'text' }] },
        { name: 'size', type: 'object', fields: [{ name: 'width', type: 'number' }] },
        { name: 'parts', type: 'blocks' },
        { name: 'columns', type: 'column-slots' },
        { name: 'place', type: 'map' },
      ],
    },
    {
      name: 'pages',
      urlPattern: '/:slug',
      parentField: 'parent',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'text', type: 'textarea' },
        { name: 'parent', type: 'relation', collection: 'pages' },
      ],
    },
  ],
};

const BODY =
  '## Part\n\nA [link](/journal/) and a note[^1].\n\n- [x] done\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n> Quote\n\n```js\n1 < 2\n```\n\n[^1]: The note.';

/** `says-…` is what a visitor has to find. */
const DATA = {
  title: 'Everything & <more>',
  subtitle: 'says-text',
  standfirst: 'says-textarea',
  date: '2026-03-04',
  count: 12_345,
  open: true,
  kind: 'a',
  tags: ['says-tags'],
  body: BODY,
  aside: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'says-prose' }] }] },
  notes: 'says-notes',
  friend: 'other',
  html: '<h1>says-html</h1><p onclick="x">y</p>',
  gadget: '<button>says-gadget</button>',
  film: 'https://films.example/watch?v=says-film',
  talk: '/uploads/says-talk.mp3',
  paper: '/uploads/says-paper.pdf',
  rows: [{ a: 'says-row' }],
  size: { width: 7 },
  parts: [{ _block: 'quote', words: 'says-block' }],
  columns: { left: 'says-left', right: [{ _block: 'quote', words: 'says-right' }] },
  place: { lat: 52.5, lng: 13.4, address: 'says-place' },
};

async function buildEverything(): Promise<BuildWorld> {
  const world = makeBuildWorld(CONFIG);
  world.put(
    { slug: 'everything', locale: 'en', translationGroup: 'g', data: DATA },
    { slug: 'alles', locale: 'de', translationGroup: 'g', data: { title: 'Alles', open: false } },
    { slug: 'other', locale: 'en', data: { title: 'The other one' } },
    {
      slug: 'bare',
      locale: 'en',
      data: { title: 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrentenauszahlung '.repeat(3) },
    },
    { collection: 'pages', slug: 'about', locale: 'en', data: { title: 'About' } },
    { collection: 'pages', slug: 'team', locale: 'en', data: { title: 'Team', parent: 'about' } },
  );
  world.commit();
  await world.build({}, await openSiteTheme({ config: parseConfig(CONFIG), themeFolder: undefined }));
  return world;
}

function pagesOf(world: BuildWorld): string[] {
  return readdirSync(path.join(world.folder, 'dist'), { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
}

test('a site without a theme shows all of a document, and every page is valid', async () => {
  await using world = await buildEverything();
  const page = world.read('journal/everything/index.html')!;
  const wanted = 'text textarea tags prose notes html gadget film talk paper row block left right place';
  for (const name of wanted.split(' ')) assert.ok(page.includes(`says-${name}`), name);
  for (const text of [
    '<h1>Everything &amp; &lt;more&gt;</h1>',
    'March 4, 2026',
    '12,345',
    'Yes',
    'Essay',
    'The other one',
  ])
    assert.ok(page.includes(text), text);
  assert.is(page.split('<h1').length, 2);
  assert.ok(page.indexOf('says-text') < page.indexOf('says-prose'));
  const german = world.read('de/journal/alles/index.html')!;
  assert.ok(german.includes('Zum Inhalt springen') && german.includes('Nein') && german.includes('hreflang="en"'));
  const validator = new HtmlValidate({
    extends: ['html-validate:standard'],
    rules: { 'long-title': 'off', 'no-trailing-whitespace': 'off' },
  });
  for (const file of pagesOf(world)) {
    const report = await validator.validateString(world.read(file)!, file);
    const faults = report.results.flatMap(({ messages }) =>
      messages.map(({ ruleId, line, message }) => `${file}:${line} ${ruleId} ${message}`),
    );
    assert.equal(faults, []);
  }
});

test('a home page that is a document shows what is in it', async () => {
  await using world = makeBuildWorld(CONFIG);
  world.put({ collection: 'pages', slug: 'home', locale: 'en', data: { title: 'Welcome', text: 'says-home' } });
  world.commit();
  await world.build({}, await openSiteTheme({ config: parseConfig(CONFIG), themeFolder: undefined }));
  const page = world.read('index.html')!;
  assert.match(page, /<h1>Welcome<\/h1>/);
  assert.match(page, /says-home/);
});

test('its pages are accessible in light and dark, narrow and wide, and nothing moves or comes from elsewhere', async () => {
  await using world = await buildEverything();
  await using browser = await openBrowser();
  const files = ['index.html', 'journal/everything/index.html', 'journal/bare/index.html'];
  for (const [width, colorScheme] of [
    [360, 'dark'],
    [1440, 'light'],
  ] as const) {
    const { page } = await browser.open({ colorScheme, viewport: { width, height: 800 } });
    const strangers: string[] = [];
    let bytes = 0;
    await page.route('**/*', (route) => {
      const { origin, pathname } = new URL(route.request().url());
      if (origin !== ORIGIN) strangers.push(route.request().url());
      const file = path.join(world.folder, 'dist', pathname.endsWith('/') ? `${pathname}index.html` : pathname);
      const body = origin === ORIGIN && !pathname.startsWith('/uploads/') ? readFileSync(file) : Buffer.alloc(0);
      bytes += body.length;
      return route.fulfill({ body, contentType: TYPES[path.extname(file)] ?? 'text/plain' });
    });
    for (const file of files) {
      bytes = 0;
      await page.goto(`${ORIGIN}/${file.replace(/index\.html$/, '')}`);
      assert.equal(await findViolations(page), [], `${file} at ${width}`);
      assert.ok(bytes > 0 && bytes < MOST_BYTES, `${file}: ${bytes} bytes`);
      const shift = await page.evaluate(MEASURE_SHIFT);
      assert.is(shift, 0, `${file} moves`);
      assert.not(
        await page.evaluate('document.documentElement.scrollWidth > innerWidth'),
        `${file} scrolls sideways at ${width}`,
      );
    }
    assert.equal(strangers, []);
  }
});

const MEASURE_SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) sum += entry.value; }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
})`;

test.run();
