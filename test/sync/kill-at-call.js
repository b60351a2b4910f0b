// Loaded before the sync server (`node --import`): ends the process with SIGKILL right before its n-th call that
// changes the disk, n being KILL_AT, and writes how many there were into the file KILL_LOG at a normal end.
import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const killAt = Number(process.env.KILL_AT ?? 0);
const FUNCTIONS = ['linkSync', 'mkdirSync', 'renameSync', 'rmSync', 'unlinkSync', 'writeFileSync', 'copyFileSync'];
const PROMISES = ['open', 'rename', 'symlink', 'unlink', 'rm', 'rmdir', 'mkdir'];
const HANDLE = ['sync', 'datasync', 'appendFile', 'writeFile'];
let calls = 0;

function count(owner, name) {
  const original = owner[name];
  owner[name] = function counted(...args) {
    if (++calls === killAt) process.kill(process.pid, 'SIGKILL');
    return original.apply(this, args);
  };
}

if (isMainThread) {
  const handle = await fs.promises.open(import.meta.filename, 'r');
  const prototype = Object.getPrototypeOf(handle);
  await handle.close();
  for (const name of FUNCTIONS) count(fs, name);
  for (const name of PROMISES) count(fs.promises, name);
  for (const name of HANDLE) count(prototype, name);
  const write = fs.writeFileSync;
  process.once('exit', () => {
    if (process.env.KILL_LOG) write(process.env.KILL_LOG, `${calls}`);
  });
}
