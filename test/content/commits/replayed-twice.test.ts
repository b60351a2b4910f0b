// Changes of ours that were replayed on an external commit, and a kill before the branch has them: the next start
// replays them on yet another commit, and must know what they were made on. So the write-ahead log gets them again, in
// their new form, before any of them is put on the branch.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createRebase } from '../../../src/content/commits/rebase.ts';
import { inOrder, toFile } from '../../../src/content/stored.ts';
import { nextTurn } from '../../../src/lib/queues/slices.ts';
import type { Disk } from '../../../src/store/disk/disk.ts';
import { createBranch } from '../../../src/store/repository/refs.ts';
import type { Store } from '../../../src/store/store.ts';
import { commitOutside } from '../../support/crash/outsider.ts';
import { openOn, REPOSITORY } from '../../support/crash/stage.ts';
import { createMemoryDisk, type MemoryDisk } from '../../support/memory-disk.ts';
import { createMemoryFiles } from '../../support/memory-files.ts';
import { stopTime } from '../../support/stopped-time.ts';
import { append } from '../../support/store-world.ts';
import { makeDesk, NOON } from '../world.ts';

const { schema } = makeDesk();
const PATH = 'content/posts/a.json';

/** The document's file with these fields. */
function fileWith(data: Record<string, unknown>): string {
  const own = { id: 'a1B2c3D4e5F6', slug: 'a', collection: 'posts', status: 'draft' as const };
  return toFile(inOrder({ ...own, createdAt: NOON, updatedAt: NOON, data }, schema), 0, schema).toString();
}

const open = (disk: Disk): Store => openOn(disk, { createRebase: () => createRebase(() => schema) });

function write(store: Store, data: Record<string, unknown>): Promise<unknown> {
  return append(store, { [PATH]: fileWith(data) }).durable;
}

function push(disk: MemoryDisk, data: Record<string, unknown>): string {
  return commitOutside({ disk, note: () => undefined }, { [PATH]: fileWith(data) });
}

function read({ log, odb }: Store): Record<string, unknown> {
  const { head } = log.status();
  const folders = PATH.split('/');
  let oid = /^tree ([0-9a-f]{40})/.exec(odb.get(head!, 'commit').toString())![1]!;
  for (const name of folders) {
    const tree = odb.get(oid, 'tree');
    const at = tree.indexOf(` ${name}\0`) + name.length + 2;
    oid = tree.toString('hex', at, at + 20);
  }
  return JSON.parse(odb.get(oid, 'blob').toString()).data;
}

/** The same disk after a kill: it has everything that was written. */
const killed = (disk: MemoryDisk): MemoryDisk => disk.afterCrash(() => true);

for (const when of ['while it waited', 'by the next start']) {
  test(`a change of ours was replayed on a push ${when}, and another push came below both later: its keys stay`, async () => {
    using time = stopTime();
    let disk = createMemoryDisk();
    let store = open(disk);
    await time.until(write(store, { title: 'T' }));
    await time.until(store.log.flush());
    await time.until(write(store, { title: 'T', first: 1 }));
    const isRestarted = when === 'by the next start';
    if (isRestarted) disk = killed(disk);
    push(disk, { title: 'T', theirs: 'before' });
    if (isRestarted) store = open(disk);
    else store.log.poll();
    await time.until(write(store, { title: 'T', theirs: 'before', first: 1, second: 2 }));
    const next = killed(disk);
    push(next, { title: 'T', theirs: 'after' });
    const again = open(next);
    await time.until(again.log.flush());
    assert.equal(read(again), { title: 'T', theirs: 'after', first: 1, second: 2 });
    await time.until(again.close());
  });
}

test('no replayed change is put on the branch before the write-ahead log has it in that form', async () => {
  using time = stopTime();
  const disk = createMemoryDisk();
  let release = (): void => undefined;
  let held: Promise<void> | undefined;
  /** Its writes to the log reach the disk, and return when the test lets them. */
  const slow: Disk = {
    ...disk,
    openDurable(file) {
      const opened = disk.openDurable(file);
      return {
        close: opened.close,
        async write(bytes, position) {
          await opened.write(bytes, position);
          await held;
        },
      };
    },
  };
  const store = open(slow);
  await time.until(write(store, { title: 'T' }));
  await time.until(store.log.flush());
  await time.until(write(store, { title: 'T', first: 1 }));
  const theirs = push(disk, { title: 'T', theirs: 1 });
  held = new Promise((resolve) => {
    release = resolve;
  });
  const second = write(store, { title: 'T', first: 1, second: 2 });
  await turns(10); // it is being written
  store.log.poll();
  await time.until(new Promise((resume) => setTimeout(resume, 5000)));
  assert.is(createBranch(disk, REPOSITORY).read(), theirs, 'the second is in the log as it was on our first');
  // What a kill would leave now.
  const next = open(copyOf(disk));
  await time.until(next.log.flush());
  assert.equal(read(next), { title: 'T', theirs: 1, first: 1, second: 2 });
  await time.until(next.close());

  held = undefined;
  release();
  await time.until(second);
  await time.until(store.log.flush());
  assert.equal(read(store), { title: 'T', theirs: 1, first: 1, second: 2 });
  await time.until(store.close());
});

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await nextTurn();
}

function copyOf(disk: MemoryDisk): MemoryDisk {
  return createMemoryDisk(undefined, createMemoryFiles(disk.files.base, disk.files.events));
}

test.run();
