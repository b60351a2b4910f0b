// The file format: what is written, byte for byte, and what is read from external commits.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { StoredDocument } from '../../src/content/document.ts';
import { parsePath, pathOf, SHARDED } from '../../src/content/files/paths.ts';
import { inOrder, parseFile, toBodyBytes, toFile } from '../../src/content/stored.ts';
import { makeDesk } from './world.ts';

const PATH = 'content/posts/hello.json';
const PLACE = { collection: 'posts', slug: 'hello' };
const { schema } = makeDesk();

function fileOf(change: Record<string, unknown>): Buffer {
  const doc = {
    id: 'a1B2c3D4e5F6',
    slug: 'hello',
    collection: 'posts',
    status: 'draft',
    createdAt: '2026-01-02T03:04:05.678Z',
    updatedAt: '2026-01-02T03:04:05.678Z',
    data: {},
    ...change,
  };
  return Buffer.from(JSON.stringify(doc));
}

test('a document is stored in key order, two spaces, with a newline at the end', () => {
  const doc: StoredDocument = {
    _fieldMeta: { title: { lockedBy: 'user' } },
    data: { own: 'Grüße', body: 'B', title: 'T' },
    updatedAt: '2026-01-03T00:00:00.000Z',
    createdAt: '2026-01-02T00:00:00.000Z',
    unpublishAt: '2026-03-01T00:00:00.000Z',
    publishAt: '2026-02-01T00:00:00.000Z',
    translationGroup: '00000000-0000-4000-8000-000000000001',
    translationOf: 'hallo',
    locale: 'en',
    status: 'published',
    collection: 'posts',
    slug: 'hello',
    id: 'a1B2c3D4e5F6',
  };
  assert.is(
    toFile(inOrder(doc, schema), 0, schema).toString('utf8'),
    `{
  "id": "a1B2c3D4e5F6",
  "slug": "hello",
  "collection": "posts",
  "status": "published",
  "locale": "en",
  "translationOf": "hallo",
  "translationGroup": "00000000-0000-4000-8000-000000000001",
  "publishAt": "2026-02-01T00:00:00.000Z",
  "unpublishAt": "2026-03-01T00:00:00.000Z",
  "createdAt": "2026-01-02T00:00:00.000Z",
  "updatedAt": "2026-01-03T00:00:00.000Z",
  "data": {
    "title": "T",
    "body": "B",
    "own": "Grüße"
  },
  "_fieldMeta": {
    "title": {
      "lockedBy": "user"
    }
  }
}
`,
  );
  assert.equal(Object.keys(JSON.parse(String(toBodyBytes(inOrder(doc, schema))))), [
    ...['id', 'slug', 'collection', 'status', 'locale', 'translationOf', 'translationGroup', 'publishAt'],
    ...['unpublishAt', 'createdAt', 'updatedAt', 'data'],
  ]);
});

test('metadata without entries is left out', () => {
  const doc = parseFile(fileOf({ _fieldMeta: {} }), PATH);
  if (typeof doc === 'string') throw new Error(doc);
  assert.not.ok('_fieldMeta' in inOrder(doc, schema));
});

test('what was written reads back the same', () => {
  const doc = inOrder(JSON.parse(String(fileOf({ data: { title: 'T', x: [1, { y: null }] } }))), schema);
  assert.equal(parseFile(toFile(doc, 0, schema), PATH), doc);
});

test('a file may be flat or sharded', () => {
  assert.is(pathOf(PLACE, 0), 'content/posts/hello.json');
  assert.is(pathOf(PLACE, SHARDED), 'content/posts/aa/hello.json');
  assert.equal(parsePath('content/posts/hello.json'), PLACE);
  assert.equal(parsePath('content/posts/aa/hello.json'), PLACE);
  for (const path of ['content/hello.json', 'content/posts/aaa/hello.json', 'posts/hello.json', 'content/posts/a.txt'])
    assert.is(parsePath(path), undefined, path);
});

test('a file that is not a document gives the reason', () => {
  const broken: [string, Buffer][] = [
    ['no JSON', Buffer.from('{')],
    ['empty', Buffer.alloc(0)],
    ['not UTF-8', Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])],
    ['not an object', Buffer.from('[1]')],
    ['null', Buffer.from('null')],
    ['merge conflict', Buffer.from(`<<<<<<< HEAD\n${fileOf({})}`)],
    ['id', fileOf({ id: 'short' })],
    ['id without a capital', fileOf({ id: 'a1b2c3d4e5f6' })],
    ['slug', fileOf({ slug: 'other' })],
    ['collection', fileOf({ collection: 'notes' })],
    ['status', fileOf({ status: 'live' })],
    ['status of every object', fileOf({ status: 'constructor' })],
    ['data', fileOf({ data: [] })],
    ['createdAt', fileOf({ createdAt: 'yesterday' })],
    ['createdAt without a zone', fileOf({ createdAt: '2026-01-02T03:04:05' })],
    ['updatedAt', fileOf({ updatedAt: 5 })],
    ['updatedAt at the end of time', fileOf({ updatedAt: '9999-12-31T23:59:59.999Z' })],
    ['publishAt', fileOf({ publishAt: 'soon' })],
    ['publishAt in the year 10000 in UTC', fileOf({ publishAt: '9999-12-31T23:59:59-05:00' })],
    ['locale', fileOf({ locale: 5 })],
    ['translationOf', fileOf({ translationOf: {} })],
    ['_fieldMeta', fileOf({ _fieldMeta: [] })],
    ['_fieldMeta entry', fileOf({ _fieldMeta: { title: 'locked' } })],
    ['_fieldMeta in data', fileOf({ data: { _fieldMeta: {} } })],
    ['forbidden key', Buffer.from(String(fileOf({})).replace('"data":{}', '"data":{"a":{"__proto__":1}}'))],
    ['lone surrogate', Buffer.from(String(fileOf({})).replace('"data":{}', '"data":{"a":"\\ud800"}'))],
    ['number', Buffer.from(String(fileOf({})).replace('"data":{}', '"data":{"a":12345678901234567890}'))],
    ['depth', Buffer.from(String(fileOf({})).replace('"data":{}', `"data":{"a":${'['.repeat(70)}${']'.repeat(70)}}`))],
  ];
  for (const [name, bytes] of broken) assert.type(parseFile(bytes, PATH), 'string', name);
  assert.type(parseFile(fileOf({ slug: 'Not A Slug' }), 'content/posts/Not A Slug.json'), 'string');
});

test('hand-written dates are read in UTC, null counts as absent, and other keys are not shown', () => {
  const doc = parseFile(
    fileOf({ createdAt: '2026-01-02', updatedAt: '2026-01-02T05:00:00+02:00', publishAt: null, author: 'me' }),
    PATH,
  );
  assert.equal(doc, {
    id: 'a1B2c3D4e5F6',
    slug: 'hello',
    collection: 'posts',
    status: 'draft',
    createdAt: '2026-01-02T00:00:00.000Z',
    updatedAt: '2026-01-02T03:00:00.000Z',
    data: {},
  });
});

test('a byte order mark and Windows line endings do no harm', () => {
  const text = `\ufeff${JSON.stringify(JSON.parse(String(fileOf({}))), null, 2).replaceAll('\n', '\r\n')}`;
  assert.is.not(typeof parseFile(Buffer.from(text), PATH), 'string');
});

test.run();
