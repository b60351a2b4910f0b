// Preloaded (`node --import`) into a process and its threads: every fsync takes 2 ms longer, as on a network disk.
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const DELAY_MS = 2;
const cell = new Int32Array(new SharedArrayBuffer(4));
const wait = (): void => void Atomics.wait(cell, 0, 0, DELAY_MS);

type Callback = (...result: unknown[]) => void;
const later =
  (callback: Callback): Callback =>
  (...result) =>
    void setTimeout(callback, DELAY_MS, ...result);

for (const name of ['fsyncSync', 'fdatasyncSync'] as const) {
  const sync = fs[name];
  fs[name] = (fd) => {
    sync(fd);
    wait();
  };
}

// Every write to a file that is open with O_DSYNC is a sync.
const synced = new Set<number>();
const { openSync, closeSync, write } = fs;
fs.openSync = (file, flags, mode) => {
  const fd = openSync(file, flags, mode);
  if (typeof flags === 'number' && flags & fs.constants.O_DSYNC) synced.add(fd);
  return fd;
};
fs.closeSync = (fd) => {
  synced.delete(fd);
  closeSync(fd);
};
fs.write = ((fd: number, ...rest: unknown[]) => {
  const callback = rest.pop() as Callback;
  (write as (...args: unknown[]) => void)(fd, ...rest, synced.has(fd) ? later(callback) : callback);
}) as typeof fs.write;

const { open } = fs.promises;
fs.promises.open = async (...given) => {
  const handle = await open(...given);
  const sync = handle.sync.bind(handle);
  handle.sync = async () => {
    await sync();
    await delay(DELAY_MS);
  };
  return handle;
};
