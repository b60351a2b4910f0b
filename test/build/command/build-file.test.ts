// A document's file in the tree of a build: its top level has the keys that the configuration names, and nothing else.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { toBuildCollections, toBuildFile } from '../../../src/build/command/build-file.ts';
import { parseConfig } from '../../../src/config/parse.ts';

const at = '2026-01-02T03:04:05.678Z';
const OWN = { id: 'A00000000000', status: 'published', createdAt: at, updatedAt: at };

function build(path: string, text: string, more: object = {}): string | undefined {
  const fields = [
    { name: 'title', type: 'text' as const },
    { name: 'body', type: 'richtext' as const },
  ];
  const config = parseConfig({ collections: [{ name: 'posts', fields, ...more }] });
  const { posts } = toBuildCollections(config);
  return toBuildFile(() => Buffer.from(text), path, posts!, false)?.content.toString('utf8');
}

const markdown = (front: string, text = ''): string =>
  `---\n${front}\n_document:\n  id: A00000000000\n  status: published\n  createdAt: ${at}\n  updatedAt: ${at}\n---\n${text}`;

function front(text: string | undefined): Record<string, unknown> {
  const [, matter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text ?? '') ?? [];
  return parse(matter, { version: '1.1' });
}

test('what the configuration does not name stands below extra, in Markdown and in JSON', () => {
  const text = build('content/posts/a.md', markdown('permalink: /x\ntitle: A\nlayout: evil', 'Text\n'));
  assert.match(text!, /\n---\nText\n$/);
  const { _document, ...rest } = front(text);
  assert.equal(rest, { title: 'A', extra: { permalink: '/x', layout: 'evil' } });
  assert.equal(Object.keys(_document as object), ['id', 'status', 'createdAt', 'updatedAt']);

  const data = { permalink: '/x', title: 'A' };
  const json = build('content/posts/a.json', JSON.stringify({ ...OWN, slug: 'a', collection: 'posts', data }));
  assert.equal(JSON.parse(json!).data, { title: 'A', extra: { permalink: '/x' } });
});

test('buildKeys of a collection stay where they are', () => {
  const text = build('content/posts/a.md', markdown('title: A\npermalink: /x\nlayout: y'), {
    buildKeys: ['permalink'],
  });
  const { _document, ...rest } = front(text);
  assert.equal(rest, { title: 'A', permalink: '/x', extra: { layout: 'y' } });
});

test('a field extra of the site’s own stays, and what is not named is left out', () => {
  const fields = [{ name: 'extra', type: 'text' }];
  const { _document, ...rest } = front(build('content/posts/a.md', markdown('extra: mine\nlayout: y'), { fields }));
  assert.equal(rest, { extra: 'mine' });
});

test('a text that no field has space for stays below the front matter', () => {
  const fields = [{ name: 'title', type: 'text' }];
  const text = build('content/posts/a.md', markdown('title: A', 'Text\n'), { fields });
  assert.match(text!, /\n---\nText\n$/);
  assert.equal(Object.keys(front(text)), ['title', '_document']);
});

test('nothing that other readers of YAML make more of reaches them: merge keys, aliases, tags, languages', () => {
  const text = build('content/posts/a.md', markdown('base: &base\n  layout: evil\n<<: *base\ntitle: !!str A'));
  const { _document, extra, ...rest } = front(text);
  assert.equal(rest, { title: 'A' });
  assert.equal(Object.keys(extra as object).sort(), ['<<', 'base']);
  assert.not.match(text!, /[&*!]/);
  for (const fence of ['---js', '---json', '--- js'])
    assert.is(build('content/posts/a.md', markdown('title: A').replace('---', fence)), undefined, fence);
});

test('keys beside the data of a JSON document, which the service does not read, are left out', () => {
  const stored = { ...OWN, slug: 'posts', collection: 'posts', data: { title: 'A' } };
  const json = build('content/posts/posts.json', JSON.stringify({ ...stored, eleventyComputed: { x: '{{ 1 }}' } }));
  assert.equal(JSON.parse(json!), stored);
  const plain = JSON.stringify(stored);
  assert.is(build('content/posts/posts.json', plain), plain, 'a file with nothing to hide keeps its bytes');
});

test('a file written by hand gets no id and no date that it does not have', () => {
  const { _document, ...rest } = front(build('content/posts/a.md', '---\ntitle: A\nx: 1\n---\n'));
  assert.equal([rest, _document], [{ title: 'A', extra: { x: 1 } }, { status: 'published' }]);
});

test('drafts are no part of it, nor who wrote which field', () => {
  assert.is(build('content/posts/a.md', markdown('title: A').replace('published', 'draft')), undefined);
  const text = build('content/posts/a.md', markdown('title: A\n_fieldMeta:\n  title:\n    lockedBy: Ada'));
  assert.match(text!, 'title: A');
  assert.not.match(text!, 'Ada');
});

test.run();
