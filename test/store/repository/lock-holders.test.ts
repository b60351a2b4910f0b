// The search in /proc for the process that has a lock open.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createHolderFinder } from '../../../src/store/repository/lock-holders.ts';

const PROCESSES = 80;
const DESCRIPTORS = 100;
/** One turn for each descriptor would make several thousand. */
const MOST_TURNS = 400;
const TURN_MS = 1;

/** Keeps the event loop busy: each turn takes a millisecond, in which the disk answers all requests. */
function countTurns(): Disposable & { readonly count: number } {
  let count = 0;
  let isOver = false;
  const turn = (): void => {
    for (const until = performance.now() + TURN_MS; performance.now() < until; );
    count++;
    if (!isOver) setImmediate(turn);
  };
  turn();
  return {
    get count() {
      return count;
    },
    [Symbol.dispose]: () => void (isOver = true),
  };
}

test('a busy event loop needs few turns to find out that no process has a lock open', async () => {
  using folder = fs.mkdtempDisposableSync(path.join(os.tmpdir(), 'colophon-holders-'));
  const proc = path.join(folder.path, 'proc');
  fs.mkdirSync(proc);
  fs.writeFileSync(path.join(proc, 'uptime'), '1000.00 1000.00\n');
  const lock = path.join(folder.path, 'main.lock');
  fs.writeFileSync(lock, '');
  for (let pid = 1; pid <= PROCESSES; pid++) {
    fs.mkdirSync(path.join(proc, String(pid), 'fd'), { recursive: true });
    fs.writeFileSync(path.join(proc, String(pid), 'comm'), 'node\n');
    for (let fd = 0; fd < DESCRIPTORS; fd++)
      fs.symlinkSync('/dev/null', path.join(proc, String(pid), 'fd', String(fd)));
  }
  const findHolder = createHolderFinder(proc);
  using turns = countTurns();
  assert.equal(await findHolder(lock, folder.path), { kind: 'nobody' });
  assert.ok(turns.count < MOST_TURNS, `${turns.count} turns`);
  fs.rmSync(path.join(proc, '7', 'fd', '70'));
  fs.symlinkSync(lock, path.join(proc, '7', 'fd', '70'));
  assert.equal(await findHolder(lock, folder.path), { kind: 'process', pid: 7, name: 'node' });
});

test.run();
