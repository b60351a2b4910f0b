// A disk that stops holds up whatever waits for it. Changes of the repository wait in a thread, so that readers do not.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Disk, nodeDisk } from '../../../src/store/disk/disk.ts';
import { createDiskWatch } from '../../../src/store/disk/disk-watch.ts';
import { createThreadPacker } from '../../../src/store/packs/packer-thread.ts';
import type { DiskWork } from '../../../src/store/repository/disk-work.ts';
import type { Store } from '../../../src/store/store.ts';
import { eventually } from '../../support/process.ts';
import { append, makeStoreWorld, type StoreWorld, write } from '../../support/store-world.ts';

/** Calls that wait for a disk that does not answer, or for a frozen file system. */
const WAITS = [
  ...['createFile', 'beginFile', 'syncFolder', 'syncFile', 'rename', 'link', 'remove'],
  ...['makeFolder', 'makeScratchFolder', 'removeFolder'],
] as (keyof Disk)[];

interface Watched {
  world: StoreWorld;
  store: Store;
  /** The calls that the event loop has waited for since the last time. */
  waited(): string[];
}

function openWatched(world: StoreWorld): Watched {
  const calls: string[] = [];
  const noted = (name: keyof Disk) => {
    const call = nodeDisk[name] as (...args: unknown[]) => unknown;
    return (...args: unknown[]): unknown => {
      // A folder that exists is only looked up.
      const isThere = name.startsWith('make') && nodeDisk.stat(String(args[0])) !== undefined;
      if (!isThere) calls.push(`${name} ${args.filter((arg) => typeof arg === 'string').join(' ')}`);
      return call(...args);
    };
  };
  const disk = { ...nodeDisk, ...Object.fromEntries(WAITS.map((name) => [name, noted(name)])) } as Disk;
  const packer = createThreadPacker(`${world.repository}/objects/pack`);
  const store = world.open({ disk, packer, pollMs: 0, walSegmentBytes: 1000 });
  return { world, store, waited: () => calls.splice(0, calls.length) };
}

async function withTwo({ store }: Watched): Promise<{ first: string; second: string }> {
  const first = await write(store, { 'content/posts/a.json': 'one\n' });
  const second = await write(store, { 'content/posts/a.json': 'two\n' });
  await store.log.flush();
  return { first, second };
}

/** A commit on top of the branch, whose objects are in the repository already. */
function makeOnTop({ world }: Watched): string {
  const tree = world.git('rev-parse', 'main~1^{tree}').trim();
  return world.git('commit-tree', tree, '-p', 'main', '-m', 'theirs').trim();
}

test('a change waits for the disk in threads until the branch has it', async () => {
  await using world = makeStoreWorld();
  const watched = openWatched(world);
  await withTwo(watched);
  watched.waited();
  // Through several segments of the write-ahead log.
  for (let n = 0; n < 6; n++) {
    await write(watched.store, { 'content/posts/a.json': `${n}`.repeat(600) });
    await watched.store.log.flush();
  }
  assert.equal(watched.waited(), []);
});

test('a push and its note wait for the disk in threads', async () => {
  await using world = makeStoreWorld();
  const watched = openWatched(world);
  const { store } = watched;
  const { second } = await withTwo(watched);
  const theirs = makeOnTop(watched);
  watched.waited();
  const quarantine = await store.openQuarantine();
  const record = () => store.notes.add([theirs], 'Via: push\n', { subject: '1 commit pushed' });
  assert.is(await quarantine.install(() => store.log.advance(second, theirs, { record })), 'moved');
  await quarantine.remove();
  assert.equal(watched.waited(), []);
  assert.is(world.git('rev-parse', 'main').trim(), theirs);
  assert.is(store.notes.find(theirs), 'Via: push\n');
});

test('tags, an older state that becomes the newest, and the files of an archive wait for the disk in threads', async () => {
  await using world = makeStoreWorld();
  const watched = openWatched(world);
  const { store } = watched;
  const { first, second } = await withTwo(watched);
  watched.waited();
  await store.tags.put('backups/one', second);
  const author = { name: 'Ada', email: 'ada@example.org' };
  const restored = { tree: store.treeOf(first), author, at: new Date(0), subject: 'restore', trailers: [] };
  assert.ok(await store.commitTree(restored));
  await store.tags.remove('backups/one');
  const frozen = await store.freeze();
  assert.ok(frozen.files.length > 0);
  await frozen.remove();
  assert.equal(watched.waited(), []);
  assert.is(world.git('rev-parse', 'main^{tree}').trim(), store.treeOf(first));
});

test('the choice after a force-push waits for the disk in threads, except for its own mark', async () => {
  await using world = makeStoreWorld();
  const watched = openWatched(world);
  const { store } = watched;
  const { first, second } = await withTwo(watched);
  world.git('update-ref', 'refs/heads/main', first);
  store.log.poll();
  assert.ok(store.log.status().moved);
  watched.waited();
  await store.log.choose('ours');
  // The mark of an open choice is removed at once: the next force-push must not find it.
  const note = `${world.repository}/colophon-moved`;
  assert.equal(watched.waited(), [`remove ${note}`, `syncFolder ${world.repository}`]);
  assert.is(world.git('rev-parse', 'main').trim(), second);
});

/** A store that moves refs only after `letGo`. */
function openHeld(world: StoreWorld) {
  const packer = createThreadPacker(`${world.repository}/objects/pack`);
  const asked = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const work: DiskWork = async (name, ...args) => {
    if (name === 'moveRef') {
      asked.resolve();
      await held.promise;
    }
    return packer.work(name, ...args);
  };
  const diskWatch = createDiskWatch({ stuckMs: 100, lateMs: 30_000, warn: () => undefined, info: () => undefined });
  const store = world.open({ packer: { ...packer, work }, diskWatch, pollMs: 0 });
  return { world, store, waited: () => [], asked: asked.promise, letGo: held.resolve };
}

test('a write accepted while a push moves the branch is answered after it', async () => {
  await using world = makeStoreWorld();
  const { asked, letGo, ...opened } = openHeld(world);
  const { store } = opened;
  const { second } = await withTwo(opened);
  const theirs = makeOnTop(opened);
  const waiting: number[] = [];
  const isFree = (entries: readonly unknown[]) => waiting.push(entries.length) > 0;
  const advancing = store.log.advance(second, theirs, { isFree });
  await asked;
  const { durable } = append(store, { 'content/posts/b.json': 'ours\n' });
  try {
    let isAnswered = false;
    durable.then(() => (isAnswered = true));
    await new Promise((later) => setTimeout(later, 50));
    assert.is(isAnswered, false);
    await eventually(() => assert.is(store.log.status().refusal?.code, 'unavailable'), 10_000);
  } finally {
    letGo();
  }
  assert.is(await advancing, 'moved');
  await durable;
  assert.is(store.log.status().refusal, undefined);
  await store.log.flush();
  assert.equal(waiting, [0], 'asked once, while no change of ours was waiting');
  assert.is(world.git('rev-parse', 'main~1').trim(), theirs);
  assert.is(world.git('show', 'main:content/posts/b.json'), 'ours\n');
});

test.run();
