import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLogOutput } from '../src/process-log.ts';

/** Standard output that accepts or refuses as the test sets it, and keeps what it accepted. */
function makeStdout() {
  const stdout = { written: '', refuses: undefined as string | undefined, acceptsAtMost: Number.POSITIVE_INFINITY };
  const writeSync = (_fd: number, bytes: Uint8Array): number => {
    if (stdout.refuses) throw Object.assign(new Error(stdout.refuses), { code: stdout.refuses });
    const part = bytes.subarray(0, stdout.acceptsAtMost);
    stdout.written += Buffer.from(part).toString();
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
  test(`an output that accepts nothing (${code}) does not hold up the service, and gets the lines in order once it accepts some`, async () => {
    const { stdout, disk } = makeStdout();
    const output = createLogOutput(1, disk);
    stdout.refuses = code;
    output.write('one\n');
    await delay(150);
    output.write('two\n');
    const from = performance.now();
    output.flushSync();
    assert.ok(performance.now() - from < 5000);
    assert.is(stdout.written, '');
    stdout.refuses = undefined;
    output.write('three\n');
    output.flushSync();
    assert.is(stdout.written, 'one\ntwo\nthree\n');
  });
}

test('a full device does not stop a flush: what it does not accept is given up', () => {
  const fd = fs.openSync('/dev/full', 'w');
  const output = createLogOutput(fd);
  output.write('one\n');
  output.flushSync();
  fs.closeSync(fd);
});

test('waiting lines are bounded, and the log says where lines are lost, and how many', async () => {
  const { stdout, disk } = makeStdout();
  const output = createLogOutput(1, disk);
  stdout.refuses = 'ENOSPC';
  for (let line = 0; line < 3000; line++) {
    output.write(`${'x'.repeat(999)}\n`);
    output.flushSync();
  }
  // A line that was passed to the system is confirmed.
  await delay(1);
  stdout.refuses = undefined;
  output.flushSync();
  output.write('again\n');
  output.flushSync();
  const lines = stdout.written.trimEnd().split('\n');
  const lostAt = lines.findIndex((line) => line.startsWith('{'));
  const lost = Number(/"msg":"(\d+) lines/.exec(lines[lostAt]!)?.[1]);
  assert.ok(lost > 1000);
  assert.is(lines.length - 2 + lost, 3000);
  assert.equal(lines.slice(lostAt + 1), ['again']);
});

test('an output that accepts a few bytes at a time gets all of them, once', async () => {
  const { stdout, disk } = makeStdout();
  const output = createLogOutput(1, disk);
  stdout.acceptsAtMost = 7;
  output.write('what was gathered\n');
  await delay(150);
  output.write('what comes last\n');
  output.flushSync();
  assert.is(stdout.written, 'what was gathered\nwhat comes last\n');
});

test.run();
