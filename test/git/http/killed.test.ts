// A git that is killed in the middle (out of memory, a limit of the process) has answered neither yes nor no.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Clone } from '../world.ts';
import { makeLimitedWorld } from './limits.ts';

const GIT = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git');

/** A git in a separate folder, which runs another command if its arguments match a shell pattern. */
function makeFragileGit() {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-fragile-'));
  const file = join(folder, 'git');
  const write = (pattern: string, instead: string): void => {
    writeFileSync(file, `#!/bin/sh\ncase " $* " in\n${pattern}) ${instead} ;;\nesac\nexec ${GIT} "$@"\n`);
    chmodSync(file, 0o755);
  };
  write('nothing', 'true');
  return {
    searchPath: `${folder}:${process.env.PATH}`,
    fail: (pattern: string, instead: string) => write(pattern, instead),
    mend: () => write('nothing', 'true'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Every git command of a push whose commit is a merge. */
const ASKED = {
  'index-pack': '*" index-pack "*',
  'rev-list --objects': '*" rev-list --objects "*',
  'rev-list': '*" rev-list "[0-9a-f]*',
  'merge-base --is-ancestor': '*" merge-base --is-ancestor "*',
  'merge-base --all': '*" merge-base --all "*',
};

/** Pushes a commit, then makes a merge on top of it. */
async function pushedThenMerged(clone: Clone): Promise<void> {
  await clone.commit({ 'a.txt': 'a' });
  await clone.pushed();
  await clone.git('checkout', '--quiet', '-b', 'side');
  await clone.commit({ 'b.txt': 'b' });
  await clone.git('checkout', '--quiet', '-');
  await clone.commit({ 'c.txt': 'c' });
  await clone.git('merge', '--quiet', '-m', 'Merge', 'side');
}

test('a push whose git is killed at any step is refused with the reason, and accepted when pushed again', async () => {
  using fragile = makeFragileGit();
  await using world = await makeLimitedWorld({}, {}, fragile.searchPath);
  const clone = await world.clone();
  await pushedThenMerged(clone);
  const from = world.main();
  const ends: [instead: string, reason: RegExp, code: string][] = [
    ['kill -KILL $$', /SIGKILL.*memory/, 'unavailable'],
    ['kill -XFSZ $$', /limit on file sizes/, 'storage_full'],
    ['kill -SEGV $$', /SIGSEGV/, 'unavailable'],
    ['echo "fatal: write error: File too large" >&2; exit 128', /limit on file sizes/, 'storage_full'],
    ['echo "fatal: write error: Disk quota exceeded" >&2; exit 128', /quota/, 'storage_full'],
    ['echo "fatal: write error: No space left on device" >&2; exit 128', /disk is full/, 'storage_full'],
  ];
  for (const [step, pattern] of Object.entries(ASKED)) {
    for (const [instead, reason, code] of ends) {
      fragile.fail(pattern, instead);
      world.logged.length = 0;
      const { ok, stderr } = await clone.push();
      const what = `${step}, ${instead}: ${stderr}`;
      assert.is(ok, false, what);
      assert.match(/! \[remote rejected\] (.*)/.exec(stderr)?.[1] ?? '', reason, what);
      assert.is(world.main(), from);
      const warned = world.logged.filter(({ level, msg }) => level === 40 && msg === 'push refused');
      assert.equal(
        warned.map(({ err }) => (err as { code: string }).code),
        [code],
        what,
      );
      assert.equal(world.listIncoming(), []);
    }
  }
  fragile.mend();
  await clone.pushed();
  assert.is.not(world.main(), from);
});

test('a push whose git fails at any step without a message is refused', async () => {
  using fragile = makeFragileGit();
  await using world = await makeLimitedWorld({}, {}, fragile.searchPath);
  const clone = await world.clone();
  await pushedThenMerged(clone);
  const from = world.main();
  for (const [step, pattern] of Object.entries(ASKED)) {
    fragile.fail(pattern, 'exit 99');
    const { ok, stderr } = await clone.push();
    assert.is(ok, false, `${step}: ${stderr}`);
    assert.not.match(stderr, /remote: *\n|must be a commit|non-fast-forward/);
    assert.is(world.main(), from);
    assert.equal(world.listIncoming(), []);
  }
});

test('a clone whose git is killed fails, and the process log has the reason', async () => {
  using fragile = makeFragileGit();
  await using world = await makeLimitedWorld({}, {}, fragile.searchPath);
  const clone = await world.clone();
  await clone.commit({ 'a.txt': 'a' });
  await clone.pushed();
  fragile.fail('*" upload-pack --stateless-rpc --advertise-refs "*', 'kill -KILL $$');
  const early = await clone.run('fetch', 'origin');
  assert.is(early.ok, false);
  assert.match(early.stderr, /503/);
  fragile.fail('*" upload-pack --stateless-rpc /"*', 'kill -KILL $$');
  const silent = await clone.run('clone', '--quiet', world.address, 'again');
  assert.is(silent.ok, false);
  assert.match(silent.stderr, /503/);
  fragile.fail('*" upload-pack --stateless-rpc /"*', 'printf 0008NAK; kill -KILL $$');
  world.logged.length = 0;
  assert.is((await clone.run('-c', 'protocol.version=0', 'clone', '--quiet', world.address, 'again')).ok, false);
  const warned = world.logged.filter(({ level }) => level === 40);
  assert.match(JSON.stringify(warned), /SIGKILL/);
  fragile.mend();
  const { ok, stderr } = await clone.run('clone', '--quiet', world.address, 'again');
  assert.ok(ok, stderr);
});

test.run();
