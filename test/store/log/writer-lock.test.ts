// One process on a data folder: the kernel keeps the lock, so it ends with the process, however that ends.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { FolderInUseError, lockFolder } from '../../../src/store/log/writer-lock.ts';

function makeFolder(): Disposable & { folder: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-lock-'));
  return { folder, [Symbol.dispose]: () => fs.rmSync(folder, { recursive: true }) };
}

/** A process that holds the folder until it is killed; it drops its reference to the lock and collects its garbage. */
async function hold(folder: string): Promise<ChildProcess> {
  const module = new URL('../../../src/store/log/writer-lock.ts', import.meta.url).href;
  const script = `import { lockFolder } from ${JSON.stringify(module)};
    lockFolder(${JSON.stringify(folder)}); setTimeout(() => { gc(); gc(); console.log('held'); }, 20); setInterval(gc, 100);`;
  const args = ['--expose-gc', '--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  await once(child.stdout!, 'data');
  return child;
}

function holderOf(folder: string): number | undefined {
  try {
    lockFolder(folder).release();
    return undefined;
  } catch (error) {
    if (error instanceof FolderInUseError) return error.pid;
    throw error;
  }
}

test('the second process learns the process id of the first, and a kill frees the folder at once', async () => {
  using made = makeFolder();
  for (let round = 0; round < 3; round++) {
    const child = await hold(made.folder);
    const holder = holderOf(made.folder);
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.is(holder, child.pid);
    assert.is(holderOf(made.folder), undefined);
  }
});

test('a process can lock a folder only once, and again after it was released', () => {
  using made = makeFolder();
  const lock = lockFolder(made.folder);
  assert.is(holderOf(made.folder), process.pid);
  assert.is(holderOf(made.folder), process.pid);
  lock.release();
  const again = lockFolder(made.folder);
  assert.is(holderOf(made.folder), process.pid);
  again.release();
});

test('a missing folder is created, for its owner alone', () => {
  using made = makeFolder();
  const folder = path.join(made.folder, 'a', 'b');
  lockFolder(folder).release();
  assert.is(fs.statSync(folder).mode & 0o777, 0o700);
});

test.run();
