// Two versions of a Markdown document in a clone, merged key by key.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mergeDocumentFiles } from '../../../src/content/clones/merge-files.ts';

const merge = (base: string, ours: string, theirs: string) =>
  mergeDocumentFiles('content/posts/a.md', [base, ours, theirs]);

const BASE = `---
# who reads it
title: "A title"
summary: Short
tags:
- ink
- paper
rank: 1
_document:
  id: AAAAAAAAAAAA
  status: draft
  createdAt: "2026-01-01T00:00:00.000Z"
  updatedAt: "2026-01-01T00:00:00.000Z"
---
The first paragraph.

The second one.
`;
const replace = (...pairs: [string, string][]): string =>
  pairs.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), from);
    return text.replace(from, to);
  }, BASE);

test('neighbouring keys that two sides changed, added or removed are merged, and all other lines stay', () => {
  const ours = replace(
    ['"A title"', "'Our title' # still open"],
    ['rank: 1\n', ''],
    ['first', '1st'],
    ['updatedAt: "2026-01-01', 'updatedAt: "2026-01-03'],
  );
  const theirs = replace(
    ['Short', 'Shorter'],
    ['- paper\n', '- paper\n- quill\ncolour: blue\n'],
    ['status: draft', 'status: published'],
    ['second', '2nd'],
    ['updatedAt: "2026-01-01', 'updatedAt: "2026-01-02'],
  );
  assert.equal(merge(BASE, ours, theirs), {
    text: replace(
      ['"A title"', "'Our title' # still open"],
      ['Short', 'Shorter'],
      ['- paper\nrank: 1\n', '- paper\n- quill\ncolour: blue\n'],
      ['status: draft', 'status: published'],
      ['updatedAt: "2026-01-01', 'updatedAt: "2026-01-03'],
      ['first', '1st'],
      ['second', '2nd'],
    ),
    conflicts: [],
  });
});

test('a file that a person wrote stays without what the service keeps, and Windows line ends are no change', () => {
  const base = '---\ntitle: A\nsummary: B\n---\nText.\n';
  const ours = '---\r\ntitle: New\r\nsummary: B\r\n---\r\nText.\r\n';
  assert.equal(merge(base, ours, base.replace('summary: B', 'summary: C\n_document:\n  status: draft')), {
    text: '---\ntitle: New\nsummary: C\n_document:\n  status: draft\n---\nText.\n',
    conflicts: [],
  });
});

test('what both sides changed in the same place is ours, and is named', () => {
  const merged = merge(
    BASE,
    replace(['Short', 'Ours'], ['rank: 1', 'rank: 2'], ['first', 'our']),
    replace(['Short', 'Theirs'], ['rank: 1', 'rank: 2'], ['first', 'their']),
  );
  assert.equal(merged, {
    text: replace(['Short', 'Ours'], ['rank: 1', 'rank: 2'], ['first', 'our']),
    conflicts: ['summary', 'the text'],
  });
});

test('front matter whose lines belong together is written anew, and a file without any is left to git', () => {
  const base = '---\na: &x one\nb: *x\nc: 1\n---\n';
  assert.equal(merge(base, base.replace('&x one', 'two').replace('*x', 'one'), base.replace('c: 1', 'c: 2')), {
    text: '---\na: two\nb: one\nc: 2\n---\n',
    conflicts: [],
  });
  const aliased = merge(base, base.replace('c: 1', 'c: 3'), base.replace('&x one', 'three').replace('*x', 'three'));
  assert.match(aliased!.text, /^---\na: three\nb: three\nc: 3\n/);
  assert.is(merge('Notes\n', 'Our notes\n', 'Their notes\n'), undefined);
  assert.is(merge('', BASE, BASE), undefined);
});

test.run();
