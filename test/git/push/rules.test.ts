import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Command } from '../../../src/git/push/request.ts';
import { refuseCommands } from '../../../src/git/push/rules.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const C = 'c'.repeat(40);
const main = { ref: 'refs/heads/main', from: A, to: B };

function refuse(commands: readonly Command[], head: string | null, others: Record<string, string> = {}) {
  const refs = Object.entries({ ...(head ? { 'refs/heads/main': head } : {}), ...others });
  return refuseCommands(commands, { head, refs: refs.map(([name, oid]) => ({ name, oid })) });
}

const refused = (...args: Parameters<typeof refuse>): string[] => [...(refuse(...args)?.keys() ?? [])];
const proposal = (name: string, change: Partial<Command> = {}): Command => ({
  ref: `refs/heads/changes/${name}`,
  from: null,
  to: B,
  ...change,
});

test('a push of main on top of its newest commit is accepted', () => {
  assert.equal(refused([main], A), []);
  assert.equal(refused([{ ...main, from: null }], null), []);
});

test('a push of main on top of another commit, or its deletion, is refused', () => {
  assert.equal(refused([main], C), [main.ref]);
  assert.equal(refused([main], null), [main.ref]);
  assert.equal(refused([{ ...main, from: null }], A), [main.ref]);
  assert.equal(refused([{ ...main, to: null }], A), [main.ref]);
});

test('pushes of other refs, with or without main, are refused', () => {
  for (const ref of [
    'refs/heads/other',
    'refs/tags/v1',
    'refs/colophon/agreed',
    'refs/heads/main2',
    'refs/heads/MAIN',
    'refs/heads/changes',
    'refs/notes/changes/a',
  ]) {
    assert.equal(refused([{ ref, from: null, to: B }], A), [ref]);
    assert.equal(refused([main, { ref, from: null, to: B }], A).sort(), [main.ref, ref].sort());
  }
  assert.equal(refused([main, main], A), [main.ref]);
});

test('a branch changes/<name> is made, moved to any commit and deleted, also together with main', () => {
  const held = { 'refs/heads/changes/a': C };
  assert.equal(refused([proposal('a')], A), []);
  assert.equal(refused([proposal('a', { from: C })], A, held), []);
  assert.equal(refused([proposal('a', { from: C, to: null })], A, held), []);
  assert.equal(refused([main, proposal('a'), proposal('b')], A), []);
  assert.equal(refused([{ ...main, from: null }, proposal('a')], null), []);
});

test('a branch that another push has moved is not, and none of the push is moved then', () => {
  const held = { 'refs/heads/changes/a': C };
  const both = [main, proposal('a')];
  assert.equal([...(refuse(both, A, held)?.values() ?? [])].sort(), [
    'fetch first',
    'not moved, because refs/heads/changes/a is refused',
  ]);
  assert.is(refused([proposal('a', { from: B, to: null })], A, held).length, 1);
  assert.is(refused([proposal('a', { from: C })], A).length, 1);
  assert.is(refused([proposal('a', { from: null, to: null })], A).length, 1);
  assert.is(refused([proposal('a'), proposal('a')], A).length, 1);
});

test('a name has one segment of letters that any file system takes', () => {
  for (const name of ['a', 'Fix-2', '2026.11', '_x', 'x'.repeat(100)]) {
    assert.equal(refused([proposal(name)], A), [], name);
  }
  for (const name of ['', 'a/b', '.a', '-a', 'a..b', 'a.', 'a.lock', 'a b', 'grün', 'a~1', 'x'.repeat(101)]) {
    assert.is(refused([proposal(name)], A).length, 1, name);
  }
  // What a program on the disk has made there can be deleted all the same.
  const held = { 'refs/heads/changes/a/b': C };
  assert.equal(refused([proposal('a/b', { from: C, to: null })], A, held), []);
  const reasons = [held, { 'refs/heads/changes': C }].flatMap((refs) => [
    ...refuse([proposal('a')], A, refs)!.values(),
  ]);
  assert.equal(reasons, ['there is a branch changes/a/b already', 'there is a branch changes already']);
});

test('there are 100 of them at most, and main comes first', () => {
  const held = Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`refs/heads/changes/b${i}`, C]));
  assert.equal(refused([proposal('x')], A, held), []);
  assert.equal(refused([proposal('x'), proposal('y')], A, held).length, 2);
  const swap = [proposal('x'), proposal('y'), proposal('b0', { from: C, to: null })];
  assert.equal(refused(swap, A, held), []);
  assert.equal(refused([proposal('b1', { from: C })], A, { ...held, 'refs/heads/changes/z': C }), []);
  assert.equal([...refuse([proposal('x')], null)!.values()], ['push main first']);
});

test.run();
