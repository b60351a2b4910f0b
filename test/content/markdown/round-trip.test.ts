// Markdown documents read back as they were, for every value that JSON has.
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import type { StoredDocument } from '../../../src/content/document.ts';
import { readFrontLines } from '../../../src/content/markdown/front-lines.ts';
import { parseMarkdown } from '../../../src/content/markdown/parse.ts';
import { printMarkdown } from '../../../src/content/markdown/print.ts';

const OWN = {
  id: 'a1B2c3D4e5F6',
  status: 'published' as const,
  createdAt: '2026-01-02T03:04:05.678Z',
  updatedAt: '2026-01-02T03:04:05.678Z',
};

function docOf(data: Record<string, unknown>): StoredDocument {
  return { ...OWN, slug: 'hello', collection: 'posts', data };
}

const read = (text: string) => parseMarkdown(text, ['body'], 200_000);
const matterOf = (text: string) => text.slice(4, text.indexOf('\n---\n', 3) + 1);

const ODD_TEXTS = [
  '',
  ' ',
  '\n',
  '\n\n',
  'a\n',
  'a\n\n',
  '\na',
  ' a',
  'a ',
  ' a\nb',
  'a\n b\n',
  'a\n  \nb',
  'a\n\t\nb',
  '\ta\nb',
  'a\r\nb',
  'a\rb',
  'yes',
  'No',
  'on',
  'OFF',
  'y',
  'N',
  'null',
  'Null',
  '~',
  'true',
  'FALSE',
  '0',
  '-0',
  '1e3',
  '0x1f',
  '0o17',
  '017',
  '1_000',
  '12:30:45',
  '2026-01-02',
  '2026-01-02T03:04:05Z',
  '.5',
  '.inf',
  '-.INF',
  '.nan',
  '=',
  '<<',
  '*a',
  '&a',
  '!a',
  '%a',
  '@a',
  '`a',
  '- a',
  '-',
  '? a',
  'a: b',
  'a:',
  ':a',
  'a #b',
  '#a',
  'a#b',
  '[a',
  '{a',
  'a, b',
  '"a"',
  "'a'",
  '|',
  '>',
  'https://a.example/b?c#d',
  '---',
  '---\n',
  'a\n---\nb',
  '---\na: b\n---\n',
  '...',
  'a\n...\nb',
  '\u0000',
  '\u0007',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u00a0',
  'a\u00a0',
  '\u2028',
  'a\u2029b',
  '\ufeff',
  '\ufeffa\nb',
  '\ufffe',
  '\ud83d\ude00',
  '\ud800',
  'a\udc00\nb',
  'Grüße',
  'a\\b',
  '\\n',
  'x'.repeat(1100),
  '日本: 語',
]; // prettier-ignore

const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '\n', '-', ':', '#', '\t', '"', "'", '|', '\r', '\u2028', '0', '.', 'é'),
    maxLength: 14,
  }),
);
const anyKey = fc
  .oneof(fc.constantFrom('title', 'body', '_document', 'own', '1', 'x'.repeat(1100), 'y'.repeat(996)), anyText)
  .filter((key) => key !== '__proto__' && key !== 'constructor' && key !== 'prototype' && key.isWellFormed());
const anyNumber = fc.oneof(
  fc.constantFrom(1e21, -0, 1e-7, 5e-324, 1.7976931348623157e308, 123456789012345680000, 0.1),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
);
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(anyKey, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const anyData = fc.dictionary(anyKey, anyValue, { maxKeys: 6, noNullPrototype: true }) as fc.Arbitrary<
  Record<string, unknown>
>;

function check(data: Record<string, unknown>): void {
  const plain = JSON.parse(JSON.stringify(data), (_key, value: unknown) => value) as Record<string, unknown>;
  for (const value of [plain, data]) {
    const text = printMarkdown(docOf(value), 'body');
    const parsed = parseAnyText(text);
    assert.ok(isDeepStrictEqual(parsed, { ...OWN, data: { ...value } }), `reads back: ${JSON.stringify(text)}`);
  }
}

/** Lone surrogates are not JSON that the service stores; the front matter carries them all the same. */
function parseAnyText(text: string): unknown {
  try {
    return read(text);
  } catch (error) {
    if (!String(error).includes('surrogate')) throw error;
    const {
      _document: { data, ...own },
      ...fields
    } = parse(matterOf(text)) as { _document: Record<string, unknown> }; // prettier-ignore
    const all = { ...((data as object) ?? fields) } as Record<string, unknown>;
    const below = text.slice(4 + matterOf(text).length + 4);
    if (below !== '') all.body = below.slice(0, -1);
    return { ...own, data: all };
  }
}

test('a document reads back as it was', () => {
  fc.assert(fc.property(anyData, check), { numRuns: 800 });
});

test('each odd text reads back as a field, as a text below the front matter, in a list and as a key', () => {
  for (const text of ODD_TEXTS) {
    check({ title: text, body: text, list: [text, [text], { deep: text }], map: { [text.toWellFormed()]: text } });
  }
});

test('the fast reader of front matter and a parser of all of YAML read the same, in YAML 1.1 and 1.2', () => {
  fc.assert(
    fc.property(anyData, (data) => {
      const matter = matterOf(printMarkdown(docOf(data), undefined));
      const full = parse(matter) as unknown;
      const fast = readFrontLines(matter);
      assert.ok(fast === undefined || isDeepStrictEqual(fast, full), `fast: ${JSON.stringify(matter)}`);
      const older = parse(matter, { version: '1.1', merge: false }) as unknown;
      assert.ok(isDeepStrictEqual(older, full), `1.1: ${JSON.stringify(matter)}`);
    }),
    { numRuns: 400 },
  );
});

test('whatever the fast reader accepts of text that a person edited, the parser reads the same', () => {
  const anyEdit = fc.record({
    data: anyData,
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat({ max: 3 }),
    put: fc.oneof(anyText, fc.constantFrom(' ', '\n', '  ', '- ', ': ', '\n  ', 'a: b\n')),
  });
  let accepted = 0;
  fc.assert(
    fc.property(anyEdit, ({ data, at, cut, put }) => {
      const matter = matterOf(printMarkdown(docOf(data), undefined));
      const place = Math.floor(at * matter.length);
      const edited = `${matter.slice(0, place)}${put}${matter.slice(place + cut)}`;
      const fast = readFrontLines(edited);
      if (fast === undefined) return;
      accepted++;
      assert.ok(isDeepStrictEqual(fast, parse(edited)), JSON.stringify(edited));
    }),
    { numRuns: 2400 },
  );
  assert.ok(accepted > 30, `${accepted} accepted`);
});

test('the file has the data in its order, then the document, then field metadata, then the text', () => {
  const doc = {
    ...docOf({
      title: 'Hello',
      tags: ['a', 'yes'],
      summary: 'One\nTwo\n',
      meta: { rank: 1, list: [{ a: 1, b: [] }] },
      body: '# Hi\n\nText',
    }),
    _fieldMeta: { title: { lockedBy: 'user' as const } },
  }; // prettier-ignore
  assert.is(
    printMarkdown(doc, 'body'),
    `---
title: Hello
tags:
  - a
  - "yes"
summary: |
  One
  Two
meta:
  rank: 1
  list:
    - a: 1
      b: []
_document:
  id: a1B2c3D4e5F6
  status: published
  createdAt: "2026-01-02T03:04:05.678Z"
  updatedAt: "2026-01-02T03:04:05.678Z"
_fieldMeta:
  title:
    lockedBy: user
---
# Hi

Text
`,
  );
});

test('an empty, a missing and a null body, and one that is a ProseMirror document, are told apart', () => {
  for (const data of [{}, { body: '' }, { body: null }, { body: { type: 'doc', content: [] } }]) check(data);
});

test('front matter that would take minutes to read is refused', () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `k${i}: 1`).join(', ');
  assert.throws(() => read(`---\na: {${keys}}\n---\n`), /more than 48 KiB is read only as the service writes it/);
});

test('a key that is twice in one map is named with its line', () => {
  assert.throws(() => read('---\n# c\ntitle: A\nb: 1\ntitle: B\n---\n'), /a key twice in one map: line 5/);
  assert.throws(() => read('---\na: {b: 1, b: 2}\n---\n'), /a key twice in one map: line 2/);
});

test('what a person writes is read: CRLF, comments, folded texts; mistakes are named', () => {
  const written = '---\r\n# mine\r\ntitle: >-\r\n  Two\r\n  lines\r\ntags: [a, "b"]\r\n---\r\n\r\nText\r\n';
  assert.equal(read(written), { data: { title: 'Two lines', tags: ['a', 'b'], body: '\nText' } });
  assert.equal(read('---\n---\nText'), { data: { body: 'Text' } });
  assert.equal(read('---\ntitle: A\n---'), { data: { title: 'A' } });
  assert.throws(() => read('Text'), /begins with a line ---/);
  assert.throws(() => read('---\ntitle: A\n'), /no closing ---/);
  assert.throws(() => read('---\ntitle: [A\n---\n'), /line \d/);
  assert.throws(() => read('---\n- a\n---\n'), /not a map/);
  assert.equal(read('---\nbody: A\n---\nB\n'), { data: { body: 'A', body2: 'B' } });
  assert.throws(() => read('---\n_document:\n  stauts: draft\n---\n'), /did you mean "status"/);
  assert.throws(() => read('---\nn: .inf\n---\n'), /not a JSON number/);
});

test.run();
