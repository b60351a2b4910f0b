// The processes of a command: none is left, whatever they do, and their output costs no memory.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createBoundedOutput } from '../../../src/build/command/bounded-output.ts';
import { type CommandRun, runCommand } from '../../../src/build/command/run-command.ts';
import { eventually } from '../../support/process.ts';

interface Run extends Disposable {
  folder: string;
  printed(): string;
  run(script: string, parts?: Partial<CommandRun>): Promise<void>;
  /** Ids that scripts wrote with `echo $$ >> ids`, of processes that are still there. */
  alive(): number[];
}

function makeRun(): Run {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-run-'));
  let printed = '';
  return {
    folder,
    printed: () => printed,
    run: (script, parts = {}) =>
      runCommand({
        ...{ program: 'sh', args: ['-c', script], cwd: folder, timeoutMs: 20_000, graceMs: 100 },
        env: { PATH: process.env.PATH ?? '', TMPDIR: folder },
        mark: `TMPDIR=${folder}`,
        log: (text) => void (printed += text),
        signal: new AbortController().signal,
        ...parts,
      }),
    alive() {
      const ids = readFileSync(join(folder, 'ids'), 'utf8').trim().split('\n').map(Number);
      return ids.filter((id) => existsSync(`/proc/${id}`) && !/\) Z /.test(readFileSync(`/proc/${id}/stat`, 'utf8')));
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function isRefused(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return (error as Error).name;
  }
  return 'nothing';
}

const STUBBORN = `trap '' TERM; sh -c 'trap "" TERM; echo $$ >> ids; while :; do sleep 0.05; done' & echo $$ >> ids; echo started;`;

test('a deadline ends the whole group, also children that ignore SIGTERM', async () => {
  using it = makeRun();
  const startMs = performance.now();
  assert.is(await isRefused(it.run(`${STUBBORN} while :; do sleep 0.05; done`, { timeoutMs: 500 })), 'BuildError');
  assert.ok(performance.now() - startMs < 5000);
  assert.equal(it.alive(), []);
  assert.ok(it.printed().includes('started'));
});

test('a cancel ends the whole group', async () => {
  using it = makeRun();
  const cancel = new AbortController();
  const running = isRefused(it.run(`${STUBBORN} wait`, { signal: cancel.signal }));
  await eventually(() => assert.ok(it.alive().length === 2), 5000);
  cancel.abort();
  assert.is(await running, 'BuildError');
  assert.equal(it.alive(), []);
});

test('children that outlive the command are ended, also those in a session of their own', async () => {
  using it = makeRun();
  const daemon = `setsid sh -c 'trap "" TERM; echo $$ >> ids; exec >/dev/null 2>&1; while :; do sleep 0.05; done' &`;
  await it.run(`${daemon} sh -c 'echo $$ >> ids; sleep 60' & while [ "$(cat ids | wc -l)" != 2 ]; do sleep 0.02; done`);
  assert.equal(it.alive(), []);
});

test('a build that was cancelled before starts nothing', async () => {
  using it = makeRun();
  assert.is(await isRefused(it.run('touch made', { signal: AbortSignal.abort() })), 'BuildError');
  assert.not.ok(existsSync(join(it.folder, 'made')));
});

test('100 MB of output end in the log, and not in memory', async () => {
  using it = makeRun();
  const before = process.memoryUsage().rss;
  let longest = 0;
  let last = '';
  await it.run('head -c 100000000 /dev/zero | tr "\\0" a | fold -w 100; echo; echo the end', {
    log(text) {
      longest = Math.max(longest, text.length);
      last = text;
    },
  });
  assert.ok(last.trim().endsWith('the end'));
  assert.ok(longest <= (1 << 20) + (64 << 10));
  const grownBytes = process.memoryUsage().rss - before;
  assert.ok(grownBytes < 80e6, `${grownBytes} bytes`);
});

test('output that comes too fast loses its middle, at a line, and says how much', () => {
  const texts: string[] = [];
  const output = createBoundedOutput((text) => void texts.push(text), 20, 60_000);
  output.write(Buffer.from('first\n'));
  for (let line = 0; line < 10; line++) output.write(Buffer.from(`line ${line}\n`));
  output.end();
  assert.equal(texts[0], 'first\n');
  assert.ok(texts[1]?.includes('56 bytes'));
  assert.is(texts.slice(2).join(''), 'line 9\n');
});

test('the deadline holds while a child keeps the output open', async () => {
  using it = makeRun();
  await it.run('echo a; sleep 30 & echo $! > ids');
  assert.is(it.printed(), 'a\n');
  assert.equal(it.alive(), []);
});

test.run();
