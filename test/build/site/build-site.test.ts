// The static builder, from a commit to a folder of files, with a small theme of the tests' own.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../../src/config/site-config.ts';
import { makeBuildWorld } from './build-world.ts';

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

test.run();
