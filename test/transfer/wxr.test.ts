import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { importFolder } from '../../src/transfer/import-folder.ts';
import { readPlace } from '../../src/transfer/read-folder.ts';
import { readWxr } from '../../src/transfer/wxr.ts';
import { CONFIG, makeFolder, makeSite } from './world.ts';

const HEAD = `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0" xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
 xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:wp="http://wordpress.org/export/1.2/"><channel><title>Site</title><wp:wxr_version>1.2</wp:wxr_version>
<wp:category><wp:cat_name><![CDATA[News]]></wp:cat_name></wp:category>`;
const TAIL = '</channel></rss>\n';

function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`;
}

interface Given {
  id?: number;
  type?: string;
  title?: string;
  name?: string;
  status?: string;
  content?: string;
  more?: string;
}

function item({
  id = 1,
  type = 'post',
  title = 'Hello',
  name = 'hello',
  status = 'publish',
  content = '',
  more = '',
}: Given): string {
  return `<item><title>${cdata(title)}</title><link>https://example.org/?p=${id}</link>
<dc:creator>${cdata('ines')}</dc:creator><content:encoded>${cdata(content)}</content:encoded>
<excerpt:encoded><![CDATA[]]></excerpt:encoded><wp:post_id>${id}</wp:post_id>
<wp:post_date><![CDATA[2024-05-01 12:00:00]]></wp:post_date><wp:post_date_gmt><![CDATA[2024-05-01 10:00:00]]></wp:post_date_gmt>
<wp:post_name>${cdata(name)}</wp:post_name><wp:status>${cdata(status)}</wp:status><wp:post_type>${cdata(type)}</wp:post_type>
${more}</item>`;
}

function readAll(xml: string, options: { collection?: string } = {}) {
  using folder = makeFolder({ 'export.xml': xml });
  return [...readPlace(path.join(folder.path, 'export.xml'), { config: CONFIG, ...options })];
}

function inputsOf(xml: string, options: { collection?: string } = {}) {
  return readAll(xml, options).map((one) => (one.kind === 'candidate' ? one.candidate.input : one));
}

test('a post has its title, slug, date, author, terms and custom fields, and its text without the editor’s comments', () => {
  const more = `<category domain="category" nicename="news"><![CDATA[News & more]]></category>
<category domain="post_tag" nicename="ink"><![CDATA[ink]]></category>
<wp:postmeta><wp:meta_key><![CDATA[subtitle]]></wp:meta_key><wp:meta_value><![CDATA[Below]]></wp:meta_value></wp:postmeta>
<wp:postmeta><wp:meta_key><![CDATA[_edit_lock]]></wp:meta_key><wp:meta_value>1</wp:meta_value></wp:postmeta>`;
  const content =
    '<!-- wp:paragraph {"a":"b"} -->\n<p>One &amp; <b>two</b></p>\n<!-- /wp:paragraph -->\n\n\n<p>]]></p>';
  assert.equal(inputsOf(HEAD + item({ title: 'Hello & goodbye', content, more }) + TAIL), [
    {
      data: {
        subtitle: 'Below',
        title: 'Hello & goodbye',
        date: '2024-05-01T10:00:00.000Z',
        author: 'ines',
        categories: ['News & more'],
        tags: ['ink'],
        body: 'One & **two**\n\n\\]\\]>',
      },
      status: 'published',
      slug: 'hello',
    },
  ]);
});

test('each state of WordPress becomes a status, and what is not content is passed over', () => {
  const states = ['publish', 'draft', 'pending', 'private', 'future', 'trash', 'auto-draft', 'inherit'];
  const found = inputsOf(HEAD + states.map((status, id) => item({ id, status, name: `n-${status}` })).join('') + TAIL);
  assert.equal(
    found.map((one) => 'slug' in one && [one.slug, one.status, one.publishAt]),
    [
      ['n-publish', 'published', undefined],
      ['n-draft', 'draft', undefined],
      ['n-pending', 'draft', undefined],
      ['n-private', 'draft', undefined],
      ['n-future', 'draft', '2024-05-01T10:00:00.000Z'],
    ],
  );
  for (const type of ['attachment', 'nav_menu_item', 'revision', 'wp_template'])
    assert.equal(inputsOf(HEAD + item({ type }) + TAIL), []);
});

test('a slug is made from the title if the item names none, and other scripts are decoded', () => {
  const xml =
    HEAD + item({ name: '', title: 'Größer als' }) + item({ name: '%c3%a6ble' }) + item({ name: '', title: '' }) + TAIL;
  assert.equal(
    inputsOf(xml).map((one) => 'slug' in one && one.slug),
    ['groesser-als', 'aeble', 'wordpress-1'],
  );
});

test('a type without a collection is reported by its item, unless a collection is named for all', () => {
  const xml = HEAD + item({ id: 7, type: 'recipe' }) + TAIL;
  const [found] = readAll(xml);
  assert.is(found?.kind, 'problems');
  assert.match(JSON.stringify(found), /export\.xml#7.*unknown collection/);
  assert.is(inputsOf(xml, { collection: 'posts' }).length, 1);
});

test('what is no export, ends in the middle, or has an item that is too large, is refused with the reason', () => {
  assert.throws(() => readAll('<rss><channel></channel></rss>'), /not a WordPress export/);
  assert.throws(() => readAll('no XML at all'), /not a WordPress export/);
  assert.throws(() => readAll(HEAD + item({})), /ends in the middle/);
  const xml = HEAD + item({ content: 'x'.repeat(9_000_000) }) + item({ id: 2, name: 'next' }) + TAIL;
  const [large, next] = readAll(xml);
  assert.match(JSON.stringify(large), /larger than/);
  assert.is(next?.kind, 'candidate');
});

test('entities of a DTD stay as they are', () => {
  const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>`;
  const xml = `${bomb}${HEAD}${item({ title: 'T' }).replace('<![CDATA[T]]>', '&b;&f;')}${TAIL}`;
  assert.equal(
    inputsOf(xml).map((one) => 'data' in one && one.data.title),
    ['&b;&f;'],
  );
});

test('any text comes back as it was, wherever the file is cut into pieces', () => {
  using folder = makeFolder();
  const file = path.join(folder.path, 'e.xml');
  const text = fc.string({ unit: 'grapheme', maxLength: 200 }).filter((one) => !/[\r\0]/.test(one));
  fc.assert(
    fc.property(text, fc.nat(100_000), (title, padding) => {
      fs.writeFileSync(file, `${HEAD}<!--${'x'.repeat(padding)}-->${item({ title })}${TAIL}`);
      const [read] = readWxr(file);
      assert.is(read && 'texts' in read && read.texts.title, title);
    }),
    { numRuns: 60 },
  );
});

test('an export is imported with maps and settings, and a second time changes nothing', async () => {
  using folder = makeFolder({ 'export.xml': HEAD + item({}) + item({ id: 2, name: 'other' }) + TAIL });
  const site = makeSite();
  const rules = { map: [['views', 'nothing'] as const], set: [['status', 'draft'] as const] };
  const first = await importFolder(path.join(folder.path, 'export.xml'), site, { rules });
  assert.equal([first.created, first.failed], [2, 0]);
  assert.is(site.documents.get('posts/hello')?.status, 'draft');
  const second = await importFolder(path.join(folder.path, 'export.xml'), site, { rules });
  assert.equal([second.created, second.unchanged], [0, 2]);
});

test.run();
