import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { refuseCommands } from '../../../src/git/push/rules.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const C = 'c'.repeat(40);
const main = { ref: 'refs/heads/main', from: A, to: B };
const refused = (...args: Parameters<typeof refuseCommands>) => [...(refuseCommands(...args)?.keys() ?? [])];

test('a push of main alone, on top of its newest commit, is accepted', () => {
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
  ]) {
    assert.equal(refused([{ ref, from: null, to: B }], A), [ref]);
    assert.equal(refused([main, { ref, from: null, to: B }], A).sort(), [main.ref, ref].sort());
  }
  assert.equal(refused([main, main], A), [main.ref]);
});

test.run();
