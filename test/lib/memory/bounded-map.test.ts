import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createBoundedMap } from '../../../src/lib/memory/bounded-map.ts';

test('the entry that was set longest ago makes room', () => {
  const map = createBoundedMap<string, number>(2);
  map.set('a', 1);
  map.set('b', 2);
  map.set('a', 3);
  map.set('c', 4);
  assert.equal([map.get('a'), map.get('b'), map.get('c')], [3, undefined, 4]);
  assert.equal([...map.values()], [3, 4]);
  assert.is(map.size, 2);
});

test('entries that must stay are kept, even beyond the bound', () => {
  const map = createBoundedMap<string, { isKept: boolean }>(2, ({ isKept }) => !isKept);
  map.set('a', { isKept: true });
  map.set('b', { isKept: false });
  map.set('c', { isKept: true });
  map.set('d', { isKept: true });
  assert.equal([map.has('a'), map.has('b'), map.has('c'), map.has('d')], [true, false, true, true]);
});

test('a deleted entry is gone', () => {
  const map = createBoundedMap<string, number>(2);
  map.set('a', 1);
  assert.ok(map.delete('a'));
  assert.not(map.delete('a'));
  map.set('b', 1);
  map.clear();
  assert.is(map.size, 0);
});

test.run();
