import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { BlockConfig, FieldConfig } from '../../../src/config/site-config.ts';
import { mapData } from '../../../src/generation/texts/data.ts';
import { markText } from '../../support/ai/translator.ts';

const BLOCKS = new Map<string, BlockConfig>([
  [
    'hero',
    {
      name: 'hero',
      fields: [
        { name: 'heading', type: 'text' },
        { name: 'image', type: 'image' },
      ],
    },
  ],
  ['columns', { name: 'columns', fields: [{ name: 'slots', type: 'column-slots' }] }],
]);

function change(data: Record<string, unknown>, fields: FieldConfig[], by = markText) {
  const kept: string[] = [];
  const paths: string[] = [];
  const value = mapData(data, fields, BLOCKS, {
    map({ path, text }) {
      paths.push(path);
      return by(text);
    },
    keep: (path) => void kept.push(path),
  });
  return { value, kept, paths };
}

test('texts of every field type are translated, and nothing else', () => {
  const fields: FieldConfig[] = [
    { name: 'title', type: 'text' },
    { name: 'intro', type: 'textarea' },
    { name: 'rank', type: 'number' },
    { name: 'date', type: 'date' },
    { name: 'tags', type: 'tags' },
    { name: 'mood', type: 'select', options: ['glad'] },
    { name: 'author', type: 'relation', collection: 'people' },
    { name: 'photo', type: 'image' },
    { name: 'gallery', type: 'image-gallery' },
    { name: 'place', type: 'map' },
    { name: 'lines', type: 'array' },
    {
      name: 'rows',
      type: 'array',
      fields: [
        { name: 'label', type: 'text' },
        { name: 'id', type: 'number' },
      ],
    },
    { name: 'seo', type: 'object', fields: [{ name: 'title', type: 'text' }] },
    { name: 'html', type: 'htmldoc' },
    { name: 'blocks', type: 'blocks' },
  ];
  const hero = { _block: 'hero', id: 'b1', heading: 'Hello', image: '/a.png', own: 'kept' };
  const { value, kept } = change(
    {
      title: '  Hello ',
      intro: 'Two\nlines',
      rank: 3,
      date: '2026-01-02',
      tags: ['tide'],
      mood: 'glad',
      author: 'ines',
      photo: '/uploads/a.png',
      gallery: [{ url: '/a.png', alt: 'A pier' }, { url: '/b.png' }],
      place: { lat: 1, lng: 2, address: 'Pier 1' },
      lines: ['one', '42'],
      rows: [{ label: 'L', id: 7 }, null],
      seo: { title: 'T', other: 'stays' },
      html: '<p class="x">Text <code>a</code> &amp; more</p>',
      blocks: [hero, { _block: 'columns', slots: { left: [hero] } }, { _block: 'unknown', heading: 'stays' }],
      unknown: 'stays',
      empty: null,
    },
    fields,
  );
  const newHero = { ...hero, heading: '«Hello»' };
  assert.equal(value, {
    title: '  «Hello» ',
    intro: '«Two\nlines»',
    rank: 3,
    date: '2026-01-02',
    tags: ['tide'],
    mood: 'glad',
    author: 'ines',
    photo: '/uploads/a.png',
    gallery: [{ url: '/a.png', alt: '«A pier»' }, { url: '/b.png' }],
    place: { lat: 1, lng: 2, address: 'Pier 1' },
    lines: ['«one»', '42'],
    rows: [{ label: '«L»', id: 7 }, null],
    seo: { title: '«T»', other: 'stays' },
    html: '<p class="x">«Text» <code>a</code> «&amp; more»</p>',
    blocks: [newHero, { _block: 'columns', slots: { left: [newHero] } }, { _block: 'unknown', heading: 'stays' }],
    unknown: 'stays',
    empty: null,
  });
  assert.equal(kept, []);
});

test('a text that is too long or empty stays, and says so', () => {
  const fields: FieldConfig[] = [{ name: 'title', type: 'text', maxLength: 6 }];
  assert.equal(change({ title: 'Hello' }, fields), {
    value: { title: 'Hello' },
    kept: ['data.title'],
    paths: ['data.title'],
  });
  assert.equal(change({ title: 'Hello' }, fields, () => ' ').value, { title: 'Hello' });
});

const doc = (...content: object[]) => ({ type: 'doc', content });
const RICH: FieldConfig[] = [{ name: 'body', type: 'richtext' }];

test('a ProseMirror document keeps its nodes, marks, attributes and ids', () => {
  const link = { type: 'link', attrs: { href: 'https://a.example', id: 'l1' } };
  const body = doc(
    { type: 'heading', attrs: { level: 2, id: 'h1' }, content: [{ type: 'text', text: 'Title' }] },
    {
      type: 'paragraph',
      content: [
        { type: 'text', text: 'See ' },
        { type: 'text', text: 'this', marks: [link] },
        { type: 'hardBreak' },
        { type: 'text', text: 'x()', marks: [{ type: 'code' }] },
      ],
    },
    { type: 'codeBlock', content: [{ type: 'text', text: 'not this' }] },
    { type: 'image', attrs: { src: '/a.png', alt: 'A pier' } },
  );
  const { value, kept } = change({ body }, RICH, (text) => text.replace('See', 'Siehe').replace('this', 'dies'));
  assert.equal(kept, []);
  assert.equal(
    value.body,
    doc(
      { type: 'heading', attrs: { level: 2, id: 'h1' }, content: [{ type: 'text', text: 'Title' }] },
      {
        type: 'paragraph',
        content: [
          { type: 'text', text: 'Siehe ' },
          { type: 'text', text: 'dies', marks: [link] },
          { type: 'hardBreak' },
          { type: 'text', text: 'x()', marks: [{ type: 'code' }] },
        ],
      },
      { type: 'codeBlock', content: [{ type: 'text', text: 'not this' }] },
      { type: 'image', attrs: { src: '/a.png', alt: 'A pier' } },
    ),
  );
});

test('a paragraph whose marks are lost stays', () => {
  const body = doc({
    type: 'paragraph',
    content: [
      { type: 'text', text: 'See ' },
      { type: 'text', text: 'this', marks: [{ type: 'bold' }] },
    ],
  });
  const { value, kept } = change({ body }, RICH, () => 'ohne Marken');
  assert.equal(value, { body });
  assert.equal(kept, ['data.body']);
});

test.run();
