// Loaded before a service under test: while the file $STALL_FILE exists, the disk answers no sync and no synced write,
// as a disk that waits for its controller. Writes to the page cache still work.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 5;

const stallFile = process.env.STALL_FILE;
const real = { ...fs };
const realOpen = fs.promises.open.bind(fs.promises);
/** Descriptors whose every write is synced. */
const synced = new Set<number>();
const cell = new Int32Array(new SharedArrayBuffer(4));

const isStalled = (): boolean => stallFile !== undefined && real.existsSync(stallFile);

/** Blocks the thread, as the call does. */
function waitNow(): void {
  while (isStalled()) Atomics.wait(cell, 0, 0, LOOK_MS);
}

async function waitLater(): Promise<void> {
  while (isStalled()) await delay(LOOK_MS);
}

const isSynced = (flags: unknown): boolean => typeof flags === 'number' && (flags & fs.constants.O_DSYNC) !== 0;

if (stallFile !== undefined) {
  type Callback = (error: Error | null, ...results: unknown[]) => void;
  Object.assign(fs, {
    openSync(file: string, flags?: string | number, mode?: number): number {
      const fd = real.openSync(file, flags as string, mode);
      if (isSynced(flags)) synced.add(fd);
      return fd;
    },
    closeSync(fd: number): void {
      synced.delete(fd);
      real.closeSync(fd);
    },
    fsyncSync(fd: number): void {
      waitNow();
      real.fsyncSync(fd);
    },
    fdatasyncSync(fd: number): void {
      waitNow();
      real.fdatasyncSync(fd);
    },
    fsync: (fd: number, done: Callback) => void waitLater().then(() => real.fsync(fd, done)),
    fdatasync: (fd: number, done: Callback) => void waitLater().then(() => real.fdatasync(fd, done)),
    writeSync(fd: number, ...rest: unknown[]): number {
      if (synced.has(fd)) waitNow();
      return Reflect.apply(real.writeSync, fs, [fd, ...rest]);
    },
    write(fd: number, ...rest: unknown[]): void {
      const write = (): void => Reflect.apply(real.write, fs, [fd, ...rest]);
      if (synced.has(fd) && isStalled()) void waitLater().then(write);
      else write();
    },
  });
  fs.promises.open = async (...args) => {
    const handle = await realOpen(...args);
    const waits = isSynced(args[1])
      ? (['sync', 'datasync', 'write', 'writev'] as const)
      : (['sync', 'datasync'] as const);
    for (const name of waits) {
      const call = handle[name].bind(handle) as (...rest: unknown[]) => Promise<unknown>;
      Object.assign(handle, { [name]: async (...rest: unknown[]) => waitLater().then(() => call(...rest)) });
    }
    return handle;
  };
  syncBuiltinESMExports();
}
