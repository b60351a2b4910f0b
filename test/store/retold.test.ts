// Waiting changes on top of an external commit: whoever made them is told only where it concerns them, for there may be
// thousands.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { retoldOf } from '../../src/store/replay.ts';
import type { FileChange } from '../../src/store/tree-set.ts';

const change = (...paths: string[]): { files: FileChange[] } => ({
  files: paths.map((path) => ({ path, content: Buffer.from(path) })),
});
const as = ({ files }: { files: FileChange[] }) => ({ entry: { files } });

test('where every change is as it was nobody is told', () => {
  const before = [change('a'), change('b'), change('a')];
  assert.equal(retoldOf(before, before.map(as)), []);
});

test('a rebased change is told, and later ones at the places that it had and has', () => {
  const before = [change('a'), change('b'), change('c'), change('a'), change('a-2'), change('c')];
  const after = [before[0]!, change('a-2'), ...before.slice(2)].map(as);
  assert.equal(retoldOf(before, after), [1, 4]);
  const moved = [change('a-2'), ...before.slice(1)].map(as);
  assert.equal(retoldOf(before, moved), [0, 3, 4]);
});

test('so are changes of documents that were renamed from there', () => {
  const before = [change('a'), change('a', 'b'), change('b', 'c'), change('c'), change('d')];
  assert.equal(retoldOf(before, [change('a'), ...before.slice(1)].map(as)), [0, 1, 2, 3]);
});

test('of many waiting changes one is merged and one is told', () => {
  const before = Array.from({ length: 8000 }, (_, i) => change(`${i}`));
  const after = before.map((one, i) => as(i === 17 ? change('17') : one));
  assert.equal(retoldOf(before, after), [17]);
});

test.run();
