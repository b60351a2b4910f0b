// A crash at every single operation on the disk, and what the next start makes of each. What was acknowledged is there,
// once and in order; what was refused is not; git's rules hold.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseCommit, parseTrailers } from '../../src/store/objects.ts';
import { createInlinePacker } from '../../src/store/packer-thread.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { createMemoryDisk, type Fault, type MemoryDisk } from '../support/memory-disk.ts';
import { createRandom } from '../support/random.ts';
import { append } from '../support/store-world.ts';

const FOLDER = '/data/site';
const REPOSITORY = `${FOLDER}/content.git`;

/** What the outside world was told. */
interface Told {
  /** Change-Ids by their number in the file that the change wrote. */
  acknowledged: string[];
  refused: string[];
}

function open(disk: MemoryDisk): Store {
  return openStore({
    folder: FOLDER,
    disk,
    packer: createInlinePacker(disk, `${REPOSITORY}/objects/pack`),
    pollMs: 0,
    walSegmentBytes: 2500,
    lockPatienceMs: 20,
  });
}

async function change(store: Store, told: Told, files: Record<string, string | null>): Promise<void> {
  const { changeId, durable } = append(store, files);
  await durable.then(
    () => told.acknowledged.push(changeId),
    (error: { code?: string }) => void (error.code && told.refused.push(changeId)),
  );
}

/** Single writes, batches, flushes, a rotation of the write-ahead log, a close and another start. */
async function work(disk: MemoryDisk, told: Told): Promise<void> {
  const store = open(disk);
  await change(store, told, { 'content/posts/a.json': '1', 'content/posts/b.json': 'x'.repeat(300) });
  await store.log.flush();
  await Promise.all(
    [0, 1, 2].map((n) => change(store, told, { [`content/posts/${n}.json`]: 'y'.repeat(700), counter: `${n}` })),
  );
  await change(store, told, { 'content/posts/b.json': null });
  await store.log.flush();
  for (let n = 0; n < 3; n++) await change(store, told, { 'content/notes/long.json': `${n}`.repeat(900) });
  await store.close();
  const again = open(disk);
  await change(again, told, { 'content/posts/a.json': 'last' });
  await again.close();
}

/** Runs until the end or the crash; an error that was told to nobody is the crash. */
async function run(disk: MemoryDisk, told: Told): Promise<void> {
  await work(disk, told).catch((error: unknown) => {
    if (!disk.isDown && !(error as { code?: string }).code) throw error;
  });
}

function logOf(store: Store): string[] {
  const ids: string[] = [];
  for (let commit = store.log.status().gitHead; commit; ) {
    const { message, parents } = parseCommit(store.odb.get(commit, 'commit'));
    ids.unshift(parseTrailers(message).get('Change-Id')!);
    commit = parents[0] ?? null;
  }
  return ids;
}

async function check(disk: MemoryDisk, told: Told, name: string): Promise<void> {
  const store = open(disk);
  const told2: Told = { acknowledged: [], refused: [] };
  await change(store, told2, { 'content/posts/after.json': 'still works' });
  await store.log.flush();
  const ids = logOf(store);
  const known = new Set(told.acknowledged);
  assert.equal(
    ids.filter((id) => known.has(id)),
    told.acknowledged,
    `${name}: acknowledged`,
  );
  assert.not(
    told.refused.some((id) => ids.includes(id)),
    `${name}: refused`,
  );
  assert.is(new Set(ids).size, ids.length, `${name}: each once`);
  await store.close();
  const { problems, counts } = await verifyStore({ repository: REPOSITORY, wal: `${FOLDER}/wal`, disk });
  assert.equal(problems, [], name);
  assert.is(counts.commits, ids.length);
}

const KEEPS: [string, (disk: MemoryDisk, at: number) => (what: string) => boolean][] = [
  ['power cut, all that was not synced is lost', () => () => false],
  ['killed, nothing is lost', () => () => true],
  [
    'power cut, some of what was not synced is lost',
    (_, at) => {
      const random = createRandom(at + 1);
      return () => random.whole(0, 1) === 1;
    },
  ],
];

for (const [keepName, keep] of KEEPS) {
  test(`a crash at any operation: ${keepName}`, async () => {
    let points = 0;
    for (let at = 0; ; at++) {
      const disk = createMemoryDisk(({ number }) => (number === at ? 'crash' : undefined));
      const told: Told = { acknowledged: [], refused: [] };
      await run(disk, told);
      if (!disk.isDown) break;
      points++;
      await check(
        disk.afterCrash(keep(disk, at)),
        told,
        `crash at ${at} (${disk.operations[at]?.name} ${disk.operations[at]?.file})`,
      );
    }
    assert.ok(points > 80, `${points} points`);
  });
}

test('a crash while recovering from a crash, at any operation of either', async () => {
  const random = createRandom(99);
  let points = 0;
  for (let at = 5; at < 400; at += 1 + random.whole(0, 3)) {
    const disk = createMemoryDisk(({ number }) => (number === at ? 'crash' : undefined));
    const told: Told = { acknowledged: [], refused: [] };
    await run(disk, told);
    if (!disk.isDown) break;
    const second = random.whole(0, 25);
    const image = disk.afterCrash(
      () => random.whole(0, 1) === 1,
      ({ number }) => (number === second ? 'crash' : undefined),
    );
    await recoverAndWrite(image, told);
    points++;
    await check(
      image.afterCrash(() => random.whole(0, 1) === 1),
      told,
      `crash at ${at}, then at ${second}`,
    );
  }
  assert.ok(points > 20, `${points} points`);
});

async function recoverAndWrite(disk: MemoryDisk, told: Told): Promise<void> {
  const run = async (): Promise<void> => {
    const store = open(disk);
    await change(store, told, { 'content/posts/between.json': 'crashes' });
    await store.log.flush();
    await store.close();
  };
  await run().catch((error: unknown) => {
    if (!disk.isDown) throw error;
  });
}

for (const fault of [
  { code: 'ENOSPC' },
  { code: 'ENOSPC', written: 20 },
  { code: 'EMFILE' },
  { code: 'EIO' },
] satisfies Fault[]) {
  const { code } = fault;
  const what = 'written' in fault ? `${code} behind a short write` : code;
  test(`${what} at any operation: nothing acknowledged is lost, nothing refused remains`, async () => {
    for (let at = 0; ; at++) {
      const disk = createMemoryDisk(({ number }) => (number === at ? fault : undefined));
      const told: Told = { acknowledged: [], refused: [] };
      await run(disk, told);
      if (disk.operations.length <= at) break;
      await check(
        disk.afterCrash(() => true),
        told,
        `${code} at ${at} (${disk.operations[at]?.name} ${disk.operations[at]?.file})`,
      );
    }
  });
}

test.run();
