import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { ServiceError } from '../../src/lib/errors.ts';
import { parseFrontMatter } from '../../src/transfer/front-matter.ts';
import { findHeading } from '../../src/transfer/heading.ts';
import { toIsoDate } from '../../src/transfer/timestamp.ts';

function refused(text: string): ServiceError {
  try {
    parseFrontMatter(text);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`not refused: ${text}`);
}

const EXPECTED = { data: { title: 'Hello', tags: ['a', 'b'], extra: { deep: true } }, body: 'First.\n\nSecond.' };

test('YAML, TOML and JSON front matter give the same data', () => {
  const body = '\nFirst.\n\nSecond.\n';
  const sources = [
    `---\ntitle: Hello\ntags: [a, b]\nextra:\n  deep: true\n---\n${body}`,
    `--- \ntitle: Hello\ntags: [a, b]\nextra: { deep: true }\n---\t\n${body}`,
    `---yaml\ntitle: Hello\ntags: [a, b]\nextra: { deep: true }\n---\n${body}`,
    `+++\ntitle = "Hello"\ntags = ["a", "b"]\n[extra]\ndeep = true\n+++\n${body}`,
    `---toml\ntitle = "Hello"\ntags = ["a", "b"]\nextra.deep = true\n---\n${body}`,
    `{"title":"Hello","tags":["a","b"],"extra":{"deep":true}}\n${body}`,
    `{\n  "title": "Hello",\n  "tags": ["a", "b"],\n  "extra": { "deep": true }\n}\n${body}`,
    `;;;\n{"title":"Hello","tags":["a","b"],"extra":{"deep":true}}\n;;;\n${body}`,
    `---json\n{"title":"Hello","tags":["a","b"],"extra":{"deep":true}}\n---\n${body}`,
  ];
  for (const source of sources) {
    assert.equal(parseFrontMatter(source), EXPECTED, source);
    assert.equal(parseFrontMatter(source.replaceAll('\n', '\r\n')), EXPECTED, `CRLF ${source}`);
  }
});

test('a file without front matter is all text', () => {
  for (const text of [
    '# Hello\n\nText',
    'Text\n\n---\n\nMore',
    '',
    '{% tag %} text',
    '{/* a comment */}\nText',
    '--- x\na',
  ]) {
    assert.equal(parseFrontMatter(text), { data: undefined, body: text.trim() }, text);
  }
});

test('front matter may be empty', () => {
  assert.equal(parseFrontMatter('---\n---\nText'), { data: {}, body: 'Text' });
  assert.equal(parseFrontMatter('---\n# nothing\n---'), { data: {}, body: '' });
  assert.equal(parseFrontMatter('+++\n+++\n'), { data: {}, body: '' });
  assert.equal(parseFrontMatter('{}\nText'), { data: {}, body: 'Text' });
});

test('a quote or a brace inside JSON front matter does not end it', () => {
  assert.equal(parseFrontMatter('{"title": "a } \\" }"}\nText } {'), { data: { title: 'a } " }' }, body: 'Text } {' });
});

test('the text keeps its first indentation and loses blank lines around it', () => {
  assert.is(parseFrontMatter('---\na: 1\n---\n\n \n    code\n\ntext\n \n').body, '    code\n\ntext');
});

test('dates become ISO strings; a date without a time stays one', () => {
  const yaml = parseFrontMatter(
    '---\na: 2024-03-01\nb: 2024-03-01T10:00:00Z\nc: 2024-03-01 12:30:00 +0200\nd: "2024-03-01 10:00:00"\n---',
  );
  assert.equal(yaml.data, {
    a: '2024-03-01',
    b: '2024-03-01T10:00:00.000Z',
    c: '2024-03-01T10:30:00.000Z',
    d: '2024-03-01 10:00:00',
  });
  const toml = parseFrontMatter(
    '+++\na = 2024-03-01\nb = 2024-03-01T10:00:00Z\nc = 2024-03-01T12:30:00+02:00\nd = 2024-03-01T10:00:00\ne = 07:32:00\nf = [2024-03-01]\n+++',
  );
  assert.equal(toml.data, {
    a: '2024-03-01',
    b: '2024-03-01T10:00:00.000Z',
    c: '2024-03-01T10:30:00.000Z',
    d: '2024-03-01T10:00:00.000Z',
    e: '07:32:00',
    f: ['2024-03-01'],
  });
});

test('every form of a timestamp is understood, and a date that does not exist stays text', () => {
  const cases: [string, string | undefined][] = [
    ['2001-12-14', '2001-12-14'],
    ['2001-2-4', '2001-02-04'],
    ['2001-12-14t21:59:43.10-05:00', '2001-12-15T02:59:43.100Z'],
    ['2001-12-14 21:59:43.10 -5', '2001-12-15T02:59:43.100Z'],
    ['2001-12-15 2:59:43.10', '2001-12-15T02:59:43.100Z'],
    ['2001-12-15T02:59:43.123456Z', '2001-12-15T02:59:43.123Z'],
    ['2024-02-29', '2024-02-29'],
    ['2023-02-29', undefined],
    ['2024-13-01', undefined],
    ['2024-01-01T24:00:00Z', undefined],
    ['2024-01-01T10:00', undefined],
    ['20240101', undefined],
    ['hello', undefined],
  ];
  for (const [text, iso] of cases) assert.is(toIsoDate(text), iso, text);
});

test('YAML distinguishes text, numbers and words by the rules of version 1.2', () => {
  const { data } = parseFrontMatter('---\na: yes\nb: 012\nc: 1.5\nd: null\ne: "1"\nf: ~\n---');
  assert.equal(data, { a: 'yes', b: 12, c: 1.5, d: null, e: '1', f: null });
});

test('anchors and merges are resolved', () => {
  const { data } = parseFrontMatter('---\nbase: &b { x: 1 }\ncopy: *b\nmore:\n  <<: *b\n  y: 2\n---');
  assert.equal(data, { base: { x: 1 }, copy: { x: 1 }, more: { x: 1, y: 2 } });
});

test('broken front matter is refused, never a crash', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghij'
    .split('')
    .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefghij'[index]}`).join(',')}]`)
    .join('\n')}`;
  const texts = [
    '---\ntitle: Hello\n',
    '+++\ntitle = "Hello"\n',
    '---\ntitle: [\n---\n',
    '---\na: 1\na: 2\n---\n',
    '---\njust text\n---\n',
    '---\n- a\n- b\n---\n',
    '---\na: *nobody\n---\n',
    `---\n${bomb}\n---\n`,
    `---\na: ${'['.repeat(20_000)}\n---\n`,
    `---\na: ${'['.repeat(100)}${']'.repeat(100)}\n---\n`,
    '+++\ntitle = \n+++\n',
    '+++\na = 1\na = 2\n+++\n',
    '+++\na = 9007199254740993\n+++\n',
    '+++\na = inf\n+++\n',
    `+++\na = ${'['.repeat(20_000)}\n+++\n`,
    '---\na: .nan\n---\n',
    '---\n__proto__: { x: 1 }\n---\n',
    '{"__proto__": {"x": 1}}',
    '{"constructor": 1}\ntext',
    '{"a": 1',
    '{"a": 1,}',
    '{"a": 1e400}',
    '{"a": "\\ud800"}',
    ';;;\n[1]\n;;;\n',
  ];
  for (const text of texts) assert.is(refused(text).code, 'invalid_input', text.slice(0, 60));
});

test('the refusal of broken YAML and TOML names the line in the file', () => {
  assert.match(refused('---\na: 1\nb: [\n---\n').message, /line [34]/);
  assert.match(refused('+++\na = 1\nb = \n+++\n').message, /line 3/);
});

test('the first heading is found in either form, outside of code', () => {
  const cases: [string, string | undefined][] = [
    ['# Hello', 'Hello'],
    ['Text\n\n## Second level ##\n\n# First', 'Second level'],
    ['```\n# code\n```\n# Real', 'Real'],
    ['~~~~\n# code\n~~~\n# code\n~~~~\n# Real', 'Real'],
    ['Hello\n=====', 'Hello'],
    ['Hello\n-----\ntext', 'Hello'],
    ['- item\n---\n# Real', 'Real'],
    ['# A [link](http://x) and **bold** `code` snake_case_name', 'A link and bold code snake_case_name'],
    ['#hashtag\n#', undefined],
    ['    # code', undefined],
    ['no heading', undefined],
    ['# \\*stars\\*', '*stars*'],
  ];
  for (const [text, title] of cases) assert.is(findHeading(text), title, text);
});

test.run();
