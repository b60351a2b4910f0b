// The plan decides which packs are merged, and so how often an object is written again.
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { listMergeable, planMerge } from '../../../src/store/maintenance/plan.ts';
import { makeStoreWorld, write } from '../../support/store-world.ts';

const sizes = (...all: number[]) => all.map((sizeBytes, i) => ({ name: `p${i}`, sizeBytes }));

test('a pack is merged with the smaller ones if it is less than three times as large as all of them together', () => {
  assert.equal(planMerge(sizes()), []);
  assert.equal(planMerge(sizes(8)), []);
  assert.equal(planMerge(sizes(24, 8)), []);
  assert.equal(planMerge(sizes(8, 8)), ['p0', 'p1']);
  assert.equal(planMerge(sizes(8, 100, 8)), ['p0', 'p2']);
  assert.equal(planMerge(sizes(8, 40, 8)), ['p1', 'p0', 'p2']);
  assert.equal(planMerge(sizes(900, 100, 20, 3)), []);
});

test('packs that would be too large together for a pack index are not merged', () => {
  const GiB = 2 ** 30;
  assert.equal(planMerge(sizes(1.5 * GiB, GiB)), []);
  assert.equal(planMerge(sizes(1.5 * GiB, 1000, 1000)), ['p1', 'p2']);
});

test('however many packs are added, few remain, and each byte is written a few times per doubling', () => {
  let packs = sizes();
  let written = 0;
  const count = 2000;
  for (let i = 0; i < count; i++) {
    packs.push({ name: `new${i}`, sizeBytes: 8 });
    for (;;) {
      const names = planMerge(packs);
      if (names.length === 0) break;
      const merged = packs.filter(({ name }) => names.includes(name));
      const sizeBytes = merged.reduce((sum, pack) => sum + pack.sizeBytes, 0);
      written += sizeBytes;
      packs = [...packs.filter((pack) => !merged.includes(pack)), { name: `merged${i}`, sizeBytes }];
    }
    assert.ok(packs.length <= 8, `${packs.length} packs of ${i + 1}`);
    const largest = Math.max(...packs.map((pack) => pack.sizeBytes));
    assert.ok((i + 1) * 8 <= largest * 1.34 || i < 3, `${largest} of ${(i + 1) * 8} in the largest`);
  }
  const times = written / (count * 8);
  assert.ok(times < 4 * Math.log2(count), `each byte written ${times} times`);
});

test('packs with a .keep, of a partial clone, waiting to be pruned or in a multi-pack-index are not merged', async () => {
  await using world = makeStoreWorld();
  const folder = path.join(world.repository, 'objects', 'pack');
  const names = (): string[] => listMergeable(nodeDisk, folder).map(({ name }) => name);
  for (let i = 0; i < 5; i++) {
    const store = world.open();
    await write(store, { 'a.json': `${i}` });
    await store.close();
    if (i === 3) world.git('multi-pack-index', 'write');
    if (i === 3) assert.equal(names(), []);
  }
  assert.is(names().length, 1);
  fs.rmSync(path.join(folder, 'multi-pack-index'));
  const all = names();
  assert.is(all.length, 5);
  ['keep', 'promisor', 'mtimes'].forEach((extension, i) =>
    fs.writeFileSync(path.join(folder, `${all[i]}.${extension}`), ''),
  );
  fs.rmSync(path.join(folder, `${all[3]}.pack`));
  assert.equal(names(), [all[4]]);
});

test.run();
