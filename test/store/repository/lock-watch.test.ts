// A git that was killed leaves its locks in the repository. Each is reported by name, and removed if no process has it
// open; a living git keeps its locks.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createDisk, nodeDisk } from '../../../src/store/disk/disk.ts';
import { createInlineWork } from '../../../src/store/packs/disk-work.ts';
import { createHolderFinder } from '../../../src/store/repository/lock-holders.ts';
import { createLockWatch } from '../../../src/store/repository/lock-watch.ts';
import { eventually } from '../../support/process.ts';
import { append, makeStoreWorld, type StoreWorld, write } from '../../support/store-world.ts';

const MAIN = 'refs/heads/main.lock';
const FAMILY = [
  MAIN,
  'refs/notes/colophon.lock',
  'refs/tags/deep/er/v1.lock',
  'packed-refs.lock',
  'HEAD.lock',
  'config.lock',
  'shallow.lock',
  'objects/info/commit-graph.lock',
  'objects/pack/multi-pack-index.lock',
];
const soon = { lookMs: 20, patienceMs: 60, removeMs: 500 };

function lock(world: StoreWorld, name = MAIN): string {
  const file = path.join(world.repository, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, '');
  return file;
}

const until = (isSo: () => boolean, what: string): Promise<unknown> =>
  eventually(async () => {
    if (!isSo()) throw new Error(what);
  }, 20_000);

/** Starts a git transaction that holds the branch's lock, and has closed the file, until it is ended. */
async function holdWithGit(world: StoreWorld, commit: string): Promise<ChildProcess> {
  const git = spawn('git', ['-C', world.repository, 'update-ref', '--stdin'], { stdio: ['pipe', 'pipe', 'inherit'] });
  git.stdin!.write(`start\nupdate refs/heads/main ${commit}\nprepare\n`);
  await until(() => fs.existsSync(path.join(world.repository, MAIN)), 'git has not acquired the lock');
  return git;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

test('the lock of a killed git is reported and removed, and the changes that waited for it reach the branch', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ lockPatienceMs: 60, lockWatch: soon });
  await write(store, { a: '0' });
  await store.log.flush();
  await kill(await holdWithGit(world, store.log.status().head!));
  for (let i = 1; i <= 50; i++) await write(store, { a: String(i) });
  await until(() => store.log.status().unflushed === 0, 'changes still wait');
  assert.is(
    world.warnings.filter((text) => text.includes(`content.git/${MAIN}`)).length,
    2,
    'reported once, removed once',
  );
  assert.is(world.git('rev-list', '--count', 'main').trim(), '51');
  assert.is(world.fsck(), '');
});

test('the lock of a running git gc is not reported, because nothing waits for it', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const file = lock(world, 'gc.log.lock');
  const holders = [{ kind: 'process' as const, pid: 7, name: 'git' }, { kind: 'nobody' as const }];
  const warned: string[] = [];
  const watch = createLockWatch({
    ...{ disk: nodeDisk, work: createInlineWork(nodeDisk, world.repository), repository: store.repository },
    ...{ findHolder: async () => holders.shift()!, warn: (text) => void warned.push(text) },
    ...{ lookMs: 0, patienceMs: 0, removeMs: 0 },
  });
  await watch.look();
  assert.equal(watch.list(), []);
  assert.ok(fs.existsSync(file));
  await watch.look();
  await watch.close();
  assert.match(warned.join(), /^lock "content.git\/gc.log.lock" has existed for/);
});

test('every stale lock of git that can block anything is reported and removed', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ lockWatch: soon });
  await write(store, { a: '0' });
  await store.log.flush();
  const files = FAMILY.map((name) => lock(world, name));
  await until(() => files.every((file) => !fs.existsSync(file)), 'a lock is still there');
  for (const name of FAMILY) {
    assert.is(world.warnings.filter((text) => text.includes(`content.git/${name}`)).length, 2, name);
  }
});

test('a lock that a living process has open stays, and is removed when the process has ended', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ lockWatch: soon });
  const file = path.join(world.repository, 'packed-refs.lock');
  const holder = spawn('sh', ['-c', `exec 9>"${file}"; echo; exec sleep 600`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout!, 'data');
  await until(() => store.locks.list()[0]?.text.includes(`process ${holder.pid}`) === true, 'the holder is not named');
  await new Promise((resume) => setTimeout(resume, 3 * soon.removeMs));
  assert.ok(fs.existsSync(file));
  await kill(holder);
  await until(() => !fs.existsSync(file), 'the lock stays');
});

test('a lock whose file a living git has closed already stays', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ lockWatch: soon });
  await write(store, { a: '0' });
  await store.log.flush();
  const git = await holdWithGit(world, store.log.status().head!);
  await until(() => store.locks.list()[0]?.text.includes(`process ${git.pid}`) === true, 'the holder is not named');
  await new Promise((resume) => setTimeout(resume, 3 * soon.removeMs));
  assert.ok(fs.existsSync(path.join(world.repository, MAIN)));
  git.stdin!.end('commit\n');
  await once(git, 'exit');
  assert.is(git.exitCode, 0);
});

test('a lock whose holder cannot be determined is removed after ten times as long', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ lockWatch: { ...soon, removeMs: 60, findHolder: createHolderFinder('/nonexistent') } });
  const file = lock(world);
  const startedAt = performance.now();
  await until(() => store.locks.list().length > 0, 'the lock is not listed');
  await until(() => !fs.existsSync(file), 'the lock stays');
  assert.ok(performance.now() - startedAt >= 600);
});

test('a lock that git acquires at the moment at which an old one is removed stays', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-lock-'));
  const file = path.join(folder, 'HEAD.lock');
  fs.writeFileSync(file, '');
  let isAcquired = false;
  const disk = createDisk({
    ...fs,
    renameSync(from: string, to: string) {
      if (from === file && !isAcquired) {
        isAcquired = true;
        fs.rmSync(file);
        fs.writeFileSync(file, '0123456789012345678901234567890123456789\n', { flag: 'wx' });
      }
      fs.renameSync(from, to);
    },
  });
  const watch = createLockWatch({
    ...{ disk, work: createInlineWork(disk, folder), repository: folder, warn: () => undefined },
    ...{ findHolder: async () => ({ kind: 'nobody' as const }), lookMs: 0, patienceMs: 0, removeMs: 0 },
  });
  await watch.look();
  assert.ok(isAcquired);
  assert.is(fs.readFileSync(file, 'latin1').length, 41);
  assert.equal(
    fs.readdirSync(folder, { recursive: true }).filter((name) => name !== 'colophon-new'),
    ['HEAD.lock'],
  );
  await watch.close();
  fs.rmSync(folder, { recursive: true });
});

test('the lock with which the service itself moves a ref is neither reported nor removed', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ lockWatch: { ...soon, removeMs: 0, patienceMs: 0, lookMs: 0 } });
  nodeDisk.createFile(path.join(world.repository, 'colophon-ref'), [Buffer.from(`${'1'.repeat(40)}\n`)]);
  nodeDisk.link(path.join(world.repository, 'colophon-ref'), path.join(world.repository, MAIN));
  await store.locks.look();
  await store.locks.look();
  assert.equal(store.locks.list(), []);
  assert.ok(fs.existsSync(path.join(world.repository, MAIN)));
  fs.rmSync(path.join(world.repository, MAIN));
});

test('changes that wait for a lock are limited in bytes; reads continue, and all the changes reach the branch', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ lockPatienceMs: 60, heldBytes: 1 << 20, lockWatch: { lookMs: 0 } });
  const first = await write(store, { a: '0' });
  await store.log.flush();
  const file = lock(world);
  let accepted = 1;
  let refused: { code?: string; headers?: Record<string, string>; message?: string } | undefined;
  while (!refused && accepted < 100_000) {
    try {
      await append(store, { a: String(accepted) }).durable;
      accepted++;
    } catch (error) {
      refused = error as typeof refused;
    }
  }
  assert.is(refused?.code, 'unavailable');
  assert.ok(refused?.headers?.['Retry-After']);
  assert.ok(refused?.message?.includes('main.lock'));
  assert.ok(accepted > 50 && accepted < 200, `${accepted} changes of more than 5 KB each fit into a mebibyte`);
  assert.ok(store.log.status().waitingBytes > 1 << 20);
  assert.ok(store.odb.get(first, 'commit'));
  fs.rmSync(file);
  await until(() => store.log.status().unflushed === 0, 'changes still wait');
  assert.is(store.log.status().waitingBytes, 0);
  await write(store, { a: 'again' });
  await store.log.flush();
  assert.is(world.git('rev-list', '--count', 'main').trim(), String(accepted + 1));
  assert.is(world.fsck(), '');
});

test('changes that still waited for a lock when the store was closed count toward the limit after a restart', async () => {
  await using world = makeStoreWorld();
  const store = world.open({ lockPatienceMs: 60, lockWatch: { lookMs: 0 } });
  await write(store, { a: '0' });
  await store.log.flush();
  const file = lock(world);
  for (let i = 1; i <= 300; i++) await write(store, { a: String(i) });
  const { waitingBytes } = store.log.status();
  await store.close();
  const again = world.open({ lockPatienceMs: 60, heldBytes: 1 << 20, lockWatch: { lookMs: 0 } });
  assert.is(again.log.status().unflushed, 300);
  assert.is(again.log.status().waitingBytes, waitingBytes);
  assert.throws(
    () => append(again, { a: 'more' }),
    (error: { code?: string }) => error.code === 'unavailable',
  );
  fs.rmSync(file);
  await until(() => again.log.status().unflushed === 0, 'changes still wait');
  assert.is(world.git('rev-list', '--count', 'main').trim(), '301');
});

test.run();
