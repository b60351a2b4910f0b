// A crash or a full disk ends a merge of packs, at any operation on the disk: nothing is lost, the next start cleans
// up, and the next merge succeeds.

import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mergePacks } from '../../../src/store/maintenance/merge.ts';
import { createInlinePacker } from '../../../src/store/packs/packer-thread.ts';
import { openStore } from '../../../src/store/store.ts';
import { verifyStore } from '../../../src/store/verify.ts';
import { makeDocument } from '../../support/changing-document.ts';
import { createMemoryDisk, type Fault, type MemoryDisk } from '../../support/memory-disk.ts';
import { mergeAndRemove, mergeAndRetire } from '../../support/merge-packs.ts';
import { createRandom } from '../../support/random.ts';
import { append, NO_READERS } from '../../support/store-world.ts';

const SITE = '/data/site';
const REPOSITORY = `${SITE}/content.git`;
const PACKS = `${REPOSITORY}/objects/pack`;

function openOn(disk: MemoryDisk) {
  return openStore({ folder: SITE, disk, packer: createInlinePacker(disk, PACKS), pollMs: 0 });
}

async function plant(): Promise<MemoryDisk> {
  const disk = createMemoryDisk();
  const random = createRandom(7);
  for (let round = 0; round < 3; round++) {
    const store = openOn(disk);
    for (let i = 0; i < 5; i++) {
      const id = random.whole(0, 2);
      await append(store, { [`content/posts/${id}.json`]: makeDocument(random, id, round * 5 + i) }).durable;
    }
    await store.close();
  }
  return disk.afterCrash(() => true);
}

const packsOn = (disk: MemoryDisk): string[] =>
  disk.list(PACKS).flatMap((file) => (file.endsWith('.idx') ? [file.slice(0, -4)] : []));

/** The next start repairs the repository; then a write and a merge succeed. */
async function check(disk: MemoryDisk, name: string): Promise<void> {
  const store = openOn(disk);
  await append(store, { 'content/posts/after.json': '1' }).durable;
  await store.close();
  const verified = await verifyStore({ repository: REPOSITORY, wal: `${SITE}/wal`, disk });
  assert.equal(verified.problems, [], name);
  assert.is(verified.counts.commits, 16, name);
  const files = disk.list(PACKS);
  assert.equal(
    files.filter((file) => !/^pack-[0-9a-f]{40}\.(pack|idx)$/.test(file)),
    [],
    name,
  );
  assert.is(
    files.filter((file) => file.endsWith('.pack')).length,
    packsOn(disk).length,
    `${name}: packs without index`,
  );
  mergeAndRemove(disk, PACKS, packsOn(disk));
  assert.is(packsOn(disk).length, 1, name);
}

/** A merge and the removal of the packs that it replaced. */
type Round = (disk: MemoryDisk) => Promise<void>;

const ROUNDS: Record<string, Round> = {
  'a merge': async (disk) => void mergeAndRemove(disk, PACKS, packsOn(disk)),
  'a merge whose old packs are removed later': (disk) => mergeAndRetire(disk, PACKS, packsOn(disk), NO_READERS),
  'a merge whose old packs are put back for a git process': async (disk) => {
    let asked = 0;
    await mergeAndRetire(disk, PACKS, packsOn(disk), { ...NO_READERS, hasBegun: () => ++asked === 3 });
    assert.ok(packsOn(disk).length > 1);
  },
};

/** Operation to start at: the first round tests the merge itself, so the others skip it. */
function findFirst(planted: MemoryDisk, round: Round): number {
  if (round === ROUNDS['a merge']) return 0;
  const disk = planted.afterCrash(() => true);
  mergePacks(disk, PACKS, packsOn(disk));
  return disk.operations.length;
}

for (const [what, round] of Object.entries(ROUNDS)) {
  test(`a crash at any operation of ${what} loses nothing, and the next start cleans up`, async () => {
    const planted = await plant();
    const first = findFirst(planted, round);
    let points = 0;
    for (const keeps of ['nothing', 'everything', 'something', 'something else', 'something yet']) {
      for (let at = first; ; at++) {
        const disk = planted.afterCrash(
          () => true,
          ({ number }) => (number === at ? 'crash' : undefined),
        );
        try {
          await round(disk);
        } catch (error) {
          if (!disk.isDown) throw error;
        }
        if (!disk.isDown) break;
        points++;
        const random = createRandom(at + keeps.length * 100);
        const keep = keeps.startsWith('some') ? () => random.whole(0, 1) === 1 : () => keeps === 'everything';
        await check(disk.afterCrash(keep), `crash at ${at} (${disk.operations[at]?.name}), ${keeps} kept`);
      }
    }
    assert.ok(points > (first > 0 ? 20 : 30), `${points} points`);
  });
}

for (const fault of [{ code: 'ENOSPC' }, { code: 'ENOSPC', written: 900 }, { code: 'EMFILE' }] satisfies Fault[]) {
  for (const [what, round] of Object.entries(ROUNDS)) {
    test(`${'written' in fault ? 'a short write' : fault.code} at any operation of ${what} loses nothing`, async () => {
      const planted = await plant();
      for (let at = findFirst(planted, round); ; at++) {
        const disk = planted.afterCrash(
          () => true,
          ({ number }) => (number === at ? fault : undefined),
        );
        let code: string | undefined;
        try {
          await round(disk);
        } catch (error) {
          code = (error as { code: string }).code;
        }
        if (disk.operations.length <= at) break;
        assert.ok(code === undefined || code === fault.code);
        await check(
          disk.afterCrash(() => true),
          `${fault.code} at ${at} (${disk.operations[at]?.name} ${disk.operations[at]?.file})`,
        );
      }
    });
  }
}

test.run();
