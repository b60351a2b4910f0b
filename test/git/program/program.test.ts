import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createGitProgram, type GitProgram } from '../../../src/git/program/program.ts';
import { limitFiles } from '../../support/file-limit.ts';
import { eventually } from '../../support/process.ts';

function makeProgram(searchPath = process.env.PATH): GitProgram & Disposable {
  const program = createGitProgram(searchPath);
  return { ...program, [Symbol.dispose]: program.close };
}

/** Runs a shell command through git. */
const shell = (program: GitProgram, command: string, signal?: AbortSignal) =>
  program.run(['-c', `alias.x=!${command}`, 'x'], { signal });

test('a run of git returns its output, its error text and its exit code', async () => {
  using program = makeProgram();
  const { code, stdout } = await program.run(['version']);
  assert.is(code, 0);
  assert.match(String(stdout), /^git version /);
  const failed = await program.run(['rev-parse', 'HEAD'], { env: { GIT_DIR: '/nonexistent' } });
  assert.is(failed.code, 128);
  assert.match(failed.stderr, /not a git repository/);
  const wordy = await shell(program, 'yes é | head -c 100000 >&2; exit 3');
  assert.is(wordy.code, 3);
  assert.ok(wordy.stderr.length > 1000 && wordy.stderr.length < 10_000);
});

test('a run of git that was killed returns the signal', async () => {
  using program = makeProgram();
  for (const name of ['XFSZ', 'KILL', 'TERM']) {
    const { code, signal } = await shell(program, `kill -${name} $PPID`);
    assert.equal([code, signal], [null, `SIG${name}`]);
  }
  assert.is((await program.run(['version'])).signal, null);
});

test('git has the service’s limits, even if they change later; a running git continues', async () => {
  using program = makeProgram();
  const limitOf = async () => String((await shell(program, 'ulimit -f')).stdout).trim();
  assert.is(await limitOf(), 'unlimited');
  const running = await program.start(['-c', 'alias.x=!cat; ulimit -f', 'x']);
  try {
    limitFiles(process, 1 << 20);
    assert.is(await limitOf(), '2048');
    assert.is(await limitOf(), '2048');
  } finally {
    limitFiles(process, 'unlimited');
  }
  assert.is(await limitOf(), 'unlimited');
  running.stdin.end('still here\n');
  let output = '';
  for await (const chunk of running.stdout) output += chunk;
  assert.is(output, 'still here\nunlimited\n');
  // Launchers that are no longer needed have ended.
  const isOurs = (line: string): boolean => line.startsWith(`${process.pid} `) && line.includes('launcher');
  const list = () => execFileSync('ps', ['-eo', 'ppid=,args='], { encoding: 'utf8' }).split('\n');
  await eventually(() => assert.is(list().filter((line) => isOurs(line.trim())).length, 1), 5000);
});

test('git reads all of its input, however much', async () => {
  using program = makeProgram();
  const { stdin, stdout, ended } = await program.start(['-c', 'alias.x=!cat', 'x']);
  const sent = Buffer.alloc(20 << 20, 'abcdefg');
  stdin.end(sent);
  const chunks: Buffer[] = [];
  for await (const chunk of stdout) chunks.push(chunk);
  assert.ok(Buffer.concat(chunks).equals(sent));
  assert.is((await ended).code, 0);
  // Some programs end before they have read everything.
  const early = await program.start(['-c', 'alias.x=!head -c 1 >/dev/null', 'x']);
  early.stdin.end(sent);
  early.stdout.resume();
  assert.is((await early.ended).code, 0);
});

test('the exit code is known even if git ends before it has all of its input', async () => {
  using program = makeProgram();
  const { stdin, stdout, ended } = await program.start(['-c', 'alias.x=!head -c 150000 /dev/zero', 'x']);
  await once(stdout, 'readable');
  await later(200); // long enough for an end that is reported too early
  stdin.end(Buffer.alloc(1 << 20));
  const chunks: Buffer[] = [];
  for await (const chunk of stdout) chunks.push(chunk);
  assert.is(Buffer.concat(chunks).length, 150_000);
  assert.is((await ended).code, 0);
});

test('git does not get the service’s environment', async () => {
  process.env.CMS_JWT_SECRET = 'a secret of this test';
  using program = makeProgram();
  const { stdout } = await shell(program, 'env');
  assert.not.match(String(stdout), /CMS_|secret/);
  assert.match(String(stdout), /^PATH=/m);
});

test('a git process whose run is aborted ends', async () => {
  using program = makeProgram();
  const leave = new AbortController();
  const marker = `exec sleep 20.${process.pid}`;
  const isRunning = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).includes(`alias.x=!${marker}`);
  const running = shell(program, marker, leave.signal);
  await eventually(() => assert.ok(isRunning()), 5000);
  leave.abort();
  const { code } = await running.catch((error) => ({ code: error.name === 'AbortError' ? null : 1 }));
  assert.is(code, null);
  await eventually(() => assert.not.ok(isRunning()), 5000);
});

test('a missing git is reported with advice, and a launcher that has died is started again', async () => {
  using absent = makeProgram('/nonexistent');
  const refused = await absent.run(['version']).catch((error) => error);
  assert.is(refused.code, 'unavailable');
  assert.match(refused.message, /install/);
  using program = makeProgram();
  await program.run(['version']);
  const killed = await shell(program, 'kill -9 $(ps -o ppid= -p $PPID)').catch((error) => error);
  assert.ok(killed.code === null || killed.code === 'unavailable', String(killed.code));
  await eventually(async () => assert.is((await program.run(['version'])).code, 0), 5000);
});

test.run();
