// The branch is read as git reads it, and moved only from the commit that we expect.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../../src/store/disk/disk.ts';
import { type Branch, createBranch, listRefs, settleRefs } from '../../../src/store/repository/refs.ts';
import { createMemoryDisk, type MemoryDisk } from '../../support/memory-disk.ts';
import { commitBeside, makeStoreWorld, write } from '../../support/store-world.ts';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const C = 'c'.repeat(40);
const REPOSITORY = '/content.git';
const REF = `${REPOSITORY}/refs/heads/main`;
const never = (): boolean => false;

function codeOf(run: () => unknown): string | undefined {
  try {
    run();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

test('the branch moves from the expected commit only', () => {
  const disk = createMemoryDisk();
  const branch = createBranch(disk, REPOSITORY);
  assert.is(branch.read(), null);
  assert.is(branch.move(null, A), 'moved');
  assert.is(branch.read(), A);
  assert.is(branch.move(null, B), 'changed');
  assert.is(branch.move(B, B), 'changed');
  assert.is(branch.move(A, B), 'moved');
  assert.equal(disk.list(`${REPOSITORY}/refs/heads`), ['main']);
  assert.equal(disk.list(REPOSITORY), ['refs']);
});

test('two refs that are moved at the same moment each get their own commit', () => {
  const disk = createMemoryDisk();
  const tracking = createBranch(disk, REPOSITORY, 'refs/remotes/origin/main');
  let isFirst = true;
  const branch = createBranch(
    {
      ...disk,
      link(from, to) {
        if (isFirst) assert.is(tracking.move(null, B), 'moved');
        isFirst = false;
        disk.link(from, to);
      },
    },
    REPOSITORY,
  );
  assert.is(branch.move(null, A), 'moved');
  assert.equal([branch.read(), tracking.read()], [A, B]);
  assert.equal(disk.list(REPOSITORY), ['refs']);
});

test('a lock of another process is respected, even at a start', () => {
  const disk = createMemoryDisk();
  const branch = createBranch(disk, REPOSITORY);
  branch.move(null, A);
  disk.createFile(`${REF}.lock`, []);
  assert.is(branch.move(A, B), 'locked');
  settleRefs(disk, REPOSITORY, never);
  assert.is(branch.move(A, B), 'locked');
  disk.remove(`${REF}.lock`);
  assert.is(branch.move(A, B), 'moved');
});

for (const [what, ref, isLogged] of [
  ['main to a commit in the write-ahead log', 'refs/heads/main', true],
  ['main to a commit that only git has', 'refs/heads/main', false],
  ['a ref of a remote', 'refs/remotes/origin/main', false],
] as const) {
  test(`a crash while moving ${what} leaves it at the old or the new commit, and no lock after the next start`, () => {
    const folder = path.dirname(`${REPOSITORY}/${ref}`);
    const isLock = (name: string): boolean => name.endsWith('.lock');
    const keeps = [
      () => false,
      () => true,
      isLock,
      (name: string) => !isLock(name),
      (name: string) => !(isLock(name) && name.startsWith('gone ')),
    ];

    /** Returns false if there are no further steps. */
    function crashAt(at: number, expected: string, keep: (name: string) => boolean): boolean {
      const disk = createMemoryDisk();
      createBranch(disk, REPOSITORY, ref).move(null, A);
      const first = disk.operations.length;
      disk.onOperation = ({ number }) => (number === first + at ? 'crash' : undefined);
      const isCrashed = isCut(() => createBranch(disk, REPOSITORY, ref).move(expected, B, { isLogged }));
      const after = disk.afterCrash(keep);
      const branch = createBranch(after, REPOSITORY, ref);
      settleRefs(after, REPOSITORY, (commit) => isLogged && commit === B);
      const now = branch.read();
      const place = `from ${expected.slice(0, 1)} at ${at}: ${now}`;
      assert.ok(now === A || (now === B && expected === A), place);
      assert.equal(after.list(folder).filter(isLock), [], place);
      assert.is(branch.move(now, now === A ? B : A), 'moved', place);
      return isCrashed;
    }

    for (const keep of keeps) for (let at = 0; crashAt(at, A, keep); ) at++;
    // The branch is elsewhere.
    for (const keep of keeps) for (let at = 0; crashAt(at, C, keep); ) at++;
  });
}

function isCut(run: () => unknown): boolean {
  try {
    run();
    return false;
  } catch {
    return true;
  }
}

test('an error at any step leaves no lock behind and the branch readable', () => {
  for (let at = 0; ; at++) {
    const disk = createMemoryDisk();
    const branch = createBranch(disk, REPOSITORY);
    branch.move(null, A);
    const first = disk.operations.length;
    disk.onOperation = ({ number }) => (number === first + at ? { code: 'ENOSPC' } : undefined);
    const code = codeOf(() => branch.move(A, B));
    if (disk.operations.length <= first + at) break;
    disk.onOperation = () => undefined;
    if (code) assert.is(code, 'ENOSPC');
    settleRefs(disk, REPOSITORY, never);
    const found = branch.read()!;
    assert.is(branch.move(found, found === A ? B : A), 'moved', `at ${at}`);
  }
});

test('on a file system without hard links the branch is still locked and moved', () => {
  const disk: MemoryDisk = createMemoryDisk();
  const branch: Branch = createBranch(disk, REPOSITORY);
  disk.onOperation = ({ name }) => (name === 'link' ? { code: 'EPERM' } : undefined);
  assert.is(branch.move(null, A), 'moved');
  disk.createFile(`${REF}.lock`, []);
  assert.is(branch.move(A, B), 'locked');
  disk.remove(`${REF}.lock`);
  assert.is(branch.move(A, B), 'moved');
  assert.is(branch.read(), B);
});

test('a branch file that does not hold a commit id is an error and never starts a new history', () => {
  for (const text of ['', '\n', 'ref: refs/heads/other\n', A.slice(1), `${A.toUpperCase()}\n`, 'garbage']) {
    const disk = createMemoryDisk();
    disk.makeFolder(path.dirname(REF));
    disk.createFile(REF, [Buffer.from(text)]);
    assert.is(
      codeOf(() => createBranch(disk, REPOSITORY).read()),
      'unavailable',
      JSON.stringify(text),
    );
    assert.is(
      codeOf(() => createBranch(disk, REPOSITORY).move(null, B)),
      'unavailable',
    );
    assert.equal(disk.list(path.dirname(REF)), ['main']);
  }
});

test('the stamp changes with every way in which git moves a branch', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  await write(store, { 'a.json': '1' });
  await store.log.flush();
  const branch = createBranch(nodeDisk, world.repository);
  const head = branch.read();
  const seen = new Set([branch.stamp()]);
  world.git('pack-refs', '--all');
  seen.add(branch.stamp());
  assert.is(branch.read(), head);
  const theirs = commitBeside(world.repository, { 'b.json': '2' });
  seen.add(branch.stamp());
  assert.is(branch.read(), theirs);
  world.git('update-ref', 'refs/heads/main', head!);
  seen.add(branch.stamp());
  world.git('gc', '--quiet');
  seen.add(branch.stamp());
  assert.is(branch.read(), head);
  world.git('update-ref', '-d', 'refs/heads/main');
  seen.add(branch.stamp());
  assert.is(branch.read(), null);
  assert.is(seen.size, 6);
});

test('git respects the lock that the service uses, and sees the branch that the service moved', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  await write(store, { 'a.json': '1' });
  await store.log.flush();
  const head = world.git('rev-parse', 'main').trim();
  fs.writeFileSync(`${world.repository}/refs/heads/main.lock`, '');
  const status = isCut(() =>
    execFileSync('git', ['-C', world.repository, 'update-ref', 'refs/heads/main', head, head], { stdio: 'ignore' }),
  );
  assert.is(status, true);
  fs.rmSync(`${world.repository}/refs/heads/main.lock`);
});

test('all refs are listed, loose and packed', async () => {
  await using world = makeStoreWorld();
  const store = world.open();
  const head = await write(store, { 'a.json': '1' });
  await store.log.flush();
  world.git('tag', 'backups/one', 'main');
  world.git('pack-refs', '--all');
  world.git('tag', 'backups/two', 'main');
  world.git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main');
  const refs = listRefs(nodeDisk, world.repository).sort((a, b) => (a.name < b.name ? -1 : 1));
  assert.equal(
    refs,
    ['refs/heads/main', 'refs/tags/backups/one', 'refs/tags/backups/two'].map((name) => ({ name, oid: head })),
  );
});

test.run();
