// What is previewed unsaved is bounded, and nobody's text is dropped for one person's many.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createUnsaved } from '../../../src/content/preview/unsaved.ts';

const LIMITS = { ownerCount: 3, ownerBytes: 100, totalBytes: 150 };
const isKept = (found: unknown): boolean => found !== undefined && found !== 'dropped';
const text = (length: number) => ({ t: 'x'.repeat(length) });

test('one person’s oldest goes first, by number and by bytes', () => {
  const unsaved = createUnsaved(LIMITS);
  unsaved.put('eve', 'eve', text(1), 9);
  for (const name of ['a', 'b', 'c', 'd']) unsaved.put(name, 'ada', text(1), 9);
  assert.equal(
    ['eve', 'a', 'b', 'c', 'd'].map((name) => isKept(unsaved.find(name, 0))),
    [true, false, true, true, true],
  );
  unsaved.put('e', 'ada', text(80), 9);
  assert.equal(
    ['eve', 'c', 'd', 'e'].map((name) => isKept(unsaved.find(name, 0))),
    [true, false, true, true],
  );
  assert.throws(() => unsaved.put('f', 'ada', text(100), 9), /over 100 bytes/);
  assert.equal(unsaved.find('e', 0), text(80));
});

test('all together are bounded, and each ends at its time', () => {
  const unsaved = createUnsaved(LIMITS);
  for (const owner of ['ada', 'ben', 'cid']) unsaved.put(owner, owner, text(60), 9);
  assert.is(unsaved.find('ada', 0), 'dropped');
  assert.is(unsaved.find('dan', 0), undefined);
  unsaved.put('ada', 'ada', text(1), 9);
  assert.equal(unsaved.find('ada', 8), text(1), 'typed again');
  assert.equal(unsaved.find('cid', 8), text(60));
  for (const owner of ['ada', 'ben', 'cid']) assert.is(unsaved.find(owner, 9), undefined);
});

test.run();
