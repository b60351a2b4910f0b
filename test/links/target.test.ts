// The targets of links, resolved without a request.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createPages, type Pages } from '../../src/links/pages.ts';
import { toTarget } from '../../src/links/target.ts';
import type { CollectionSchema } from '../../src/schema/collection.ts';

const OWN = new Set(['https://www.example.com']);

function textOf(link: string, from: string | undefined = '/blog/hello'): string {
  const target = toTarget(link, from, OWN);
  return [target.kind, 'path' in target && target.path, 'url' in target && target.url].filter(Boolean).join(' ');
}

test('a link is internal, external, broken, or nothing to request', () => {
  const expected: Record<string, string> = {
    '/about?x=1#team': 'internal /about',
    other: 'internal /blog/other',
    '../about': 'internal /about',
    '/caf%C3%A9': 'internal /café',
    'https://www.example.com/blog/x': 'internal /blog/x',
    '//www.example.com/y': 'internal /y',
    'https://else.example/a b#c': 'external https://else.example/a%20b',
    '//else.example': 'external https://else.example/',
    'HTTP://ELSE.example:80/': 'external http://else.example/',
    '#top': 'none',
    '': 'none',
    'mailto:a@b.example': 'none',
    'tel:+1': 'none',
    'javascript:alert(1)': 'none',
    'data:text/plain,x': 'none',
    'https://': 'broken',
    'https://u:p@else.example/': 'broken',
    '/bad%ff': 'broken',
    [`/${'x'.repeat(5000)}`]: 'broken',
  };
  for (const [link, target] of Object.entries(expected)) assert.is(textOf(link), target, link);
  assert.is(toTarget('other', undefined, OWN).kind, 'none');
  assert.is(toTarget('/other', undefined, OWN).kind, 'internal');
});

function makePages(): Pages {
  const rows: Record<string, string> = {
    'posts/hello': 'published',
    'posts/later': 'draft',
    'pages/about': 'published',
    'pages/team': 'published',
    'notes/2026': 'published',
    'data/x': 'published',
  };
  const collection = (name: string, config: object) => ({ name, config }) as CollectionSchema;
  return createPages({
    view: {
      bySlug: (name, slug) => (rows[`${name}/${slug}`] ? ({ status: rows[`${name}/${slug}`] } as never) : undefined),
    },
    collections: [
      collection('posts', { urlPrefix: '/blog' }),
      collection('pages', { urlPrefix: '/', parentField: 'parent' }),
      collection('notes', { urlPattern: '/notes/:year/:slug/' }),
      collection('data', {}),
    ],
    locales: ['en', 'de'],
    hasMedia: (slug) => slug === 'images/a.png',
    hasForm: (name) => name === 'contact',
  });
}

test('a path of the site leads to a published document, a file, a form or a list, or has a known problem', () => {
  const { problemOf } = makePages();
  const expected: Record<string, string | undefined> = {
    '/': undefined,
    '/blog': undefined,
    '/blog/': undefined,
    '/blog/hello': undefined,
    '/blog/hello/': undefined,
    '/blog/hello/index.html': undefined,
    '/blog/hello.html': undefined,
    '/de/blog/hello': undefined,
    '/de': undefined,
    '/about': undefined,
    '/about/team': undefined,
    '/notes/2026/2026': undefined,
    '/uploads/images/a.png': undefined,
    '/forms/contact/': undefined,
    '/robots.txt': undefined,
    '/blog/later': 'not_published',
    '/blog/gone': 'not_found',
    '/fr/blog/hello': 'not_found',
    '/x': 'not_found',
    '/uploads/images/b.png': 'not_found',
    '/forms/other': 'not_found',
    '/notes/2026': 'not_found',
  };
  for (const [path, problem] of Object.entries(expected)) assert.is(problemOf(path), problem, path);
});

test('a document’s own path is known if it consists of slug and locale only', () => {
  const { pathOf } = makePages();
  assert.is(pathOf({ collection: 'posts', slug: 'hello', locale: 'en' }), '/blog/hello');
  assert.is(pathOf({ collection: 'notes', slug: 'hello', locale: 'en' }), undefined);
  assert.is(pathOf({ collection: 'data', slug: 'x', locale: 'en' }), undefined);
});

test.run();
