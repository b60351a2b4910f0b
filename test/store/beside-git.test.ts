// Git beside the service, while it writes packs, merges them and removes those that were replaced: a git process that
// lists the packs opens them a moment later.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/store/disk/disk.ts';
import { createMaintenance } from '../../src/store/maintenance/maintenance.ts';
import { createThreadMerger } from '../../src/store/maintenance/thread.ts';
import { createThreadPacker } from '../../src/store/packs/packer-thread.ts';
import type { Readers } from '../../src/store/repository/readers.ts';
import { git, makeStoreWorld, NO_READERS, write } from '../support/store-world.ts';

const run = promisify(execFile);
const FOR_MS = 8000;
/** A busy machine has few moments without a git process, and those of other sites count. */
const AT_MOST_MS = 60_000;
const REMOVALS = 3;
const AT_MOST_PACKS = 200;
/** Short, so that packs are removed many times while git processes begin. */
const KEEP_MS = 50;
const LOOK_MS = 10;
/** In these pauses no git is at work, or nothing would ever be removed. */
const GIT_PAUSE_S = 0.15;
const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

/**
 * Runs the commands one after the other, again and again, in a process of its own: git processes that this process starts
 * begin only while none of its own work is under way. Returns how often each ran, and what failed.
 */
async function repeat(
  commands: readonly string[],
  folder: string,
  repository: string,
): Promise<{ count: number; failed: string[] }> {
  const steps = commands.map((command) => `out=$(${command} 2>&1) || echo "failed $out"; sleep ${GIT_PAUSE_S}`);
  const loop = `until [ -e "$0/stop" ]; do ${steps.join('; ')}; echo ran; done`;
  const { stdout } = await run('sh', ['-c', loop, folder, repository]);
  const lines = stdout.split('\n').filter(Boolean);
  const failed = lines.filter((line) => line.startsWith('failed '));
  return { count: lines.filter((line) => line === 'ran').length, failed };
}

test('git fsck and clones by path hardly ever fail beside writers, merges and the removal of replaced packs', async () => {
  await using world = makeStoreWorld();
  const packs = path.join(world.repository, 'objects', 'pack');
  const packer = createThreadPacker(packs);
  const store = world.open({
    ...{ packer, maintenanceMs: 0 },
    retiredPacks: { keepMs: KEEP_MS, lookMs: LOOK_MS },
  });
  const maintenance = createMaintenance({
    ...{ disk: nodeDisk, repository: world.repository, packer, lookMs: 0, idleMs: 0, retryMs: 0 },
    ...{ merger: createThreadMerger(nodeDisk, packs), retired: store.retired },
    warn: (message) => void world.warnings.push(message),
  });
  await write(store, { 'content/posts/0.json': '{}' });
  await store.log.flush();
  const begun = performance.now();
  const counts = { writes: 0, removals: 0 };
  let listed: string[] = [];
  const looping = async (step: () => Promise<unknown>): Promise<void> => {
    for (let ms = 0; ms < FOR_MS || (ms < AT_MOST_MS && counts.removals < REMOVALS); ms = performance.now() - begun)
      await step();
  };
  const { folder, repository } = world;
  const commands = [
    'git -C "$1" fsck --strict --full',
    'rm -rf "$0/c"; git clone --quiet "$1" "$0/c" && git -C "$0/c" fsck --strict',
  ];
  const beside = repeat(commands, folder, repository);
  await Promise.all([
    looping(async () => {
      const file = `content/posts/${counts.writes++ % 100}.json`;
      await write(store, { [file]: `{"n":${counts.writes},"text":"${'word '.repeat(counts.writes % 40)}"}\n` });
      await store.log.flush();
      // Each flush makes a pack, and of too many none stays, however often git reads (MOST).
      do await pause(20);
      while (listed.length > AT_MOST_PACKS && performance.now() - begun < AT_MOST_MS);
    }),
    looping(async () => {
      await maintenance.look();
      await pause(100);
    }),
    looping(async () => {
      const before = listed;
      listed = fs.readdirSync(packs).filter((name) => name.endsWith('.idx'));
      if (before.some((name) => !listed.includes(name))) counts.removals++;
      await pause(LOOK_MS);
    }),
  ]);
  fs.writeFileSync(path.join(folder, 'stop'), '');
  const { count, failed } = await beside;
  await maintenance.close();
  // A busy machine may stop us for long between the question whether git is at work and the rename.
  if (failed.length > count / 10) assert.equal(failed, []);
  assert.ok(count > 3, `${count}`);
  assert.ok(counts.writes > 5 && counts.removals >= REMOVALS, JSON.stringify(counts));
  assert.equal(world.warnings, []);
});

test('a replaced pack stays for its time, and while a git process is at work, unless space or number demand it', async () => {
  await using world = makeStoreWorld();
  let isReading = true;
  const readers: Readers = { ...NO_READERS, look: async () => isReading };
  const store = world.open({ retiredPacks: { keepMs: 100, lookMs: 0, readers } });
  const packs = path.join(world.repository, 'objects', 'pack');
  const list = (): string[] => fs.readdirSync(packs).filter((name) => name.endsWith('.pack'));
  const writeOn = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      await write(store, { 'content/posts/a.json': `${i}` });
      await store.log.flush();
    }
  };
  await writeOn(33);
  assert.is(list().length, 33, 'one for each write, and all of them stay');
  await pause(150);
  await store.retired.look();
  assert.is(list().length, 33, 'a git process is at work');
  isReading = false;
  await store.retired.look();
  assert.is(list().length, 1);
  assert.is(world.fsck(), '');
  await writeOn(32);
  await store.retired.look();
  assert.is(list().length, 33, 'not old enough');
  await store.retired.removeAll();
  assert.is(list().length, 1, 'space is needed');
  assert.is(world.fsck(), '');
});

for (const [question, moment] of [
  'before they are set aside',
  'once they are set aside',
  'once that is durable',
].entries()) {
  test(`packs whose time is over stay if a git process begins ${moment}, and it finds nothing amiss`, async () => {
    await using world = makeStoreWorld();
    const packs = path.join(world.repository, 'objects', 'pack');
    const list = (): string[] => fs.readdirSync(packs).sort();
    let asked = 0;
    const readers: Readers = {
      ...NO_READERS,
      hasBegun() {
        assert.is(world.fsck(), '');
        const clone = path.join(world.folder, `clone-${asked}`);
        git(world.folder, 'clone', '--quiet', world.repository, clone);
        assert.is(git(clone, 'fsck', '--strict'), '');
        return asked++ === question;
      },
    };
    const store = world.open({ retiredPacks: { keepMs: 0, lookMs: 0, readers } });
    for (let i = 0; i < 33; i++) {
      await write(store, { 'content/posts/a.json': `${i}` });
      await store.log.flush();
    }
    const before = list();
    assert.is(before.length, 66);
    await store.retired.look();
    assert.is(asked, question + 1);
    assert.equal(list(), before);
    await store.retired.look();
    assert.is(list().length, 2);
    assert.is(world.fsck(), '');
    assert.equal(fs.readdirSync(path.join(world.repository, 'colophon-new')), []);
    assert.equal(world.warnings, []);
  });
}

test('space that is needed while packs are set aside is freed at once', async () => {
  await using world = makeStoreWorld();
  const packs = path.join(world.repository, 'objects', 'pack');
  let asked = 0;
  const readers: Readers = {
    ...NO_READERS,
    hasBegun() {
      if (asked++ !== 1) return false;
      store.retired.removeAll();
      return true;
    },
  };
  const store = world.open({ retiredPacks: { keepMs: 0, lookMs: 0, readers } });
  for (let i = 0; i < 33; i++) {
    await write(store, { 'content/posts/a.json': `${i}` });
    await store.log.flush();
  }
  await store.retired.look();
  assert.is(fs.readdirSync(packs).length, 2);
  assert.equal(fs.readdirSync(path.join(world.repository, 'colophon-new')), []);
  assert.is(world.fsck(), '');
});

test('none of our unfinished files is in a folder that git reads', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const seen = new Set<string>();
  const objects = path.join(world.repository, 'objects');
  const watcher = fs.watch(objects, { recursive: true }, (_, name) => void (name && seen.add(path.basename(name))));
  for (let i = 0; i < 40; i++) {
    await write(store, { 'content/posts/a.json': `${i}` });
    await store.log.flush();
  }
  await store.maintenance.look();
  await pause(100);
  watcher.close();
  assert.ok([...seen].some((name) => name.endsWith('.pack')));
  assert.equal(
    [...seen].filter((name) => !/^(pack|pack-[0-9a-f]{40}\.(pack|idx|keep))$/.test(name)),
    [],
  );
});

test('unfinished packs that a crash left are removed at the next start', async () => {
  await using world = makeStoreWorld();
  await world.open().close();
  const made = path.join(world.repository, 'colophon-new');
  fs.mkdirSync(made, { recursive: true });
  fs.writeFileSync(path.join(made, 'colophon_new_pack_merge'), 'half');
  fs.writeFileSync(path.join(world.repository, 'objects/pack/colophon_new_idx_pack-1'), 'of an older version');
  await world.open().close();
  assert.equal(fs.readdirSync(made), []);
  assert.equal(fs.readdirSync(path.join(world.repository, 'objects/pack')), []);
});

test.run();
