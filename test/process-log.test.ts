import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLogOutput } from '../src/process-log.ts';

/** Standard output that takes what it is told to, and has what it took. */
function makeStdout() {
  const stdout = { taken: '', refuses: undefined as string | undefined, takesAtMost: Number.POSITIVE_INFINITY };
  const writeSync = (_fd: number, bytes: Uint8Array): number => {
    if (stdout.refuses) throw Object.assign(new Error(stdout.refuses), { code: stdout.refuses });
    const part = bytes.subarray(0, stdout.takesAtMost);
    stdout.taken += Buffer.from(part).toString();
    return part.length;
  };
  const write = (fd: number, bytes: Uint8Array, done: (error: Error | null, written: number) => void): void => {
    queueMicrotask(() => {
      try {
        done(null, writeSync(fd, bytes));
      } catch (error) {
        done(error as Error, 0);
      }
    });
  };
  return { stdout, disk: { write, writeSync } as unknown as Pick<typeof fs, 'write' | 'writeSync'> };
}

for (const code of ['ENOSPC', 'EFBIG', 'EIO', 'EPIPE', 'EAGAIN']) {
  test(`an output that takes nothing (${code}) holds up nobody, and has the lines in order once it takes some`, async () => {
    const { stdout, disk } = makeStdout();
    const output = createLogOutput(1, disk);
    stdout.refuses = code;
    output.write('one\n');
    await delay(150);
    output.write('two\n');
    const from = performance.now();
    output.flushSync();
    assert.ok(performance.now() - from < 5000);
    assert.is(stdout.taken, '');
    stdout.refuses = undefined;
    output.write('three\n');
    output.flushSync();
    assert.is(stdout.taken, 'one\ntwo\nthree\n');
  });
}

test('a full device ends no flush: what it does not take is given up', () => {
  const fd = fs.openSync('/dev/full', 'w');
  const output = createLogOutput(fd);
  output.write('one\n');
  output.flushSync();
  fs.closeSync(fd);
});

test('what waits is bounded, and how many lines are lost is told where they are missing', async () => {
  const { stdout, disk } = makeStdout();
  const output = createLogOutput(1, disk);
  stdout.refuses = 'ENOSPC';
  for (let line = 0; line < 3000; line++) {
    output.write(`${'x'.repeat(999)}\n`);
    output.flushSync();
  }
  // What was handed to the system is answered.
  await delay(1);
  stdout.refuses = undefined;
  output.flushSync();
  output.write('again\n');
  output.flushSync();
  const lines = stdout.taken.trimEnd().split('\n');
  const told = lines.findIndex((line) => line.startsWith('{'));
  const lost = Number(/"msg":"(\d+) lines/.exec(lines[told]!)?.[1]);
  assert.ok(lost > 1000);
  assert.is(lines.length - 2 + lost, 3000);
  assert.equal(lines.slice(told + 1), ['again']);
});

test('an output that takes a few bytes at a time gets all of them, once', async () => {
  const { stdout, disk } = makeStdout();
  const output = createLogOutput(1, disk);
  stdout.takesAtMost = 7;
  output.write('what was gathered\n');
  await delay(150);
  output.write('what comes last\n');
  output.flushSync();
  assert.is(stdout.taken, 'what was gathered\nwhat comes last\n');
});

test.run();
