// A form's files, listed and sorted in slices.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { listIds, readNow, sortIds } from '../../src/forms/submission-files.ts';
import { createBreathe, nextTurn } from '../../src/lib/queues/slices.ts';
import { createRandom } from '../support/random.ts';

const breathe = createBreathe();

test('any number of ids is sorted', async () => {
  const random = createRandom(7);
  for (const count of [0, 1, 2, 4096, 4097, 9000]) {
    const ids = Array.from({ length: count }, () => random.whole(0, 1e9).toString(32));
    assert.equal(await sortIds(ids, breathe), ids.toSorted());
  }
});

test('only files that may be submissions are listed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-files-'));
  try {
    assert.equal(await listIds(join(folder, 'nowhere'), breathe), []);
    for (const name of ['a1.json', 'B2.json', '.tmp-0011', 'c3.json.tmp', 'd4', '-e5.json', 'f 6.json', '.json']) {
      writeFileSync(join(folder, name), name);
    }
    assert.equal((await listIds(folder, breathe)).sort(), ['B2', 'a1']);
    assert.is(readNow(folder, 'a1'), 'a1.json');
    assert.is(readNow(folder, 'gone'), undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('requests continue while many files are listed and sorted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-files-'));
  try {
    mkdirSync(join(folder, 'form'));
    for (let i = 0; i < 1500; i++) writeFileSync(join(folder, 'form', `${(i * 7919) % 1500}x.json`), '');
    let [turns, isDone] = [0, false];
    const slices = createBreathe(1);
    const listing = listIds(join(folder, 'form'), slices)
      .then((ids) => sortIds(Array.from({ length: 40 }, () => ids).flat(), slices))
      .finally(() => (isDone = true));
    while (!isDone) {
      await nextTurn();
      turns++;
    }
    assert.is((await listing).length, 60_000);
    assert.ok(turns > 3, `${turns} turns`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
