// The links of texts in every format.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FieldConfig } from '../../src/config/site-config.ts';
import { collectLinks } from '../../src/links/collect-links.ts';
import { documentLinks, htmlLinks, markdownLinks } from '../../src/links/text-links.ts';

test('links in Markdown are links, images, references and bare addresses, but nothing in code', () => {
  const text = [
    '# A [heading](/h)',
    'A [link](/a "title"), an ![image](/b.png), a [reference][r], <https://c.example/>, https://d.example/x.',
    '[![both](/e.png)](/f)',
    '- item [in a list](/g)',
    '> [quoted](/i)',
    '| [cell](/j) | b |\n|---|---|\n| [row](/k) | c |',
    '`[code](/no)`',
    '```\n[code](/no)\n```',
    'an \\[escaped](/no) one, and [angle](</l m>)',
    '',
    '[r]: https://r.example "R"',
    '[unused]: https://no.example',
  ].join('\n\n');
  assert.equal(markdownLinks(text), [
    '/h',
    '/a',
    '/b.png',
    'https://r.example',
    'https://c.example/',
    'https://d.example/x',
    '/f',
    '/e.png',
    '/g',
    '/i',
    '/j',
    '/k',
    '/l m',
  ]);
});

test('links in HTML within Markdown count too', () => {
  assert.equal(markdownLinks('a <a href="/x">b</a>\n\n<div><img src="/y.png"></div>\n'), ['/x', '/y.png']);
});

test('links in HTML are all addresses to follow or to load, with entities decoded', () => {
  const text = `<A HREF='/a?x=1&amp;y=2'>a</A><img src=/b.png srcset="/c.png 1x, /d.png 2x"><video poster="/e.png">
    <source src="/f.mp4"></video><script src="/g.js"></script><link rel="preconnect" href="https://no.example">
    <a name="no">x</a><!-- <a href="/no"> --><form action="/no"></form><iframe src="//h.example/"></iframe>`;
  assert.equal(htmlLinks(text), [
    '/a?x=1&y=2',
    '/b.png',
    '/c.png',
    '/d.png',
    '/e.png',
    '/f.mp4',
    '/g.js',
    '//h.example/',
  ]);
});

test('links in a ProseMirror document are found in marks and nodes at any depth', () => {
  const link = { type: 'text', text: 'x', marks: [{ type: 'link', attrs: { href: '/a' } }] };
  let node: object = { type: 'image', attrs: { src: '/b.png' } };
  for (let depth = 0; depth < 50_000; depth++) node = { type: 'blockquote', content: [node] };
  assert.equal(documentLinks({ type: 'doc', content: [{ type: 'paragraph', content: [link] }, node] }).sort(), [
    '/a',
    '/b.png',
  ]);
});

test('links in a document are found in every field that can have them, with its path', () => {
  const fields = [
    { name: 'title', type: 'text' },
    { name: 'button', type: 'text' },
    { name: 'body', type: 'richtext' },
    { name: 'cover', type: 'image' },
    { name: 'gallery', type: 'image-gallery' },
    { name: 'page', type: 'htmldoc' },
    { name: 'about', type: 'object', fields: [{ name: 'file', type: 'file' }] },
    { name: 'list', type: 'array', fields: [{ name: 'clip', type: 'video' }] },
    { name: 'parts', type: 'blocks', blocks: ['hero'] },
    { name: 'related', type: 'relation', collection: 'posts' },
  ] as unknown as FieldConfig[];
  const hero = { name: 'hero', fields: [{ name: 'text', type: 'richtext' }] as unknown as FieldConfig[] };
  const data = {
    title: 'About /nothing',
    button: 'https://a.example/go',
    body: '[b](/b)',
    cover: '/uploads/c.png',
    gallery: [{ url: '/uploads/d.png', alt: '' }],
    page: '<a href="/e">e</a>',
    about: { file: '/uploads/f.pdf' },
    list: [{ clip: '/uploads/g.mp4' }, null],
    parts: [
      { _block: 'hero', text: '[h](/h)' },
      { _block: 'gone', text: '[no](/no)' },
    ],
    related: 'other',
    unknown: '[no](/no)',
  };
  assert.equal(
    collectLinks(data, fields, new Map([['hero', hero]])).map(({ field, url }) => `${field} ${url}`),
    [
      'button https://a.example/go',
      'body /b',
      'cover /uploads/c.png',
      'gallery.0.url /uploads/d.png',
      'page /e',
      'about.file /uploads/f.pdf',
      'list.0.clip /uploads/g.mp4',
      'parts.0.text /h',
    ],
  );
});

test.run();
