// Holds writes to write-ahead logs of this process, as a slow disk does: changes accepted meanwhile are not durable.
import fs from 'node:fs';
import path from 'node:path';

export interface HeldWal extends Disposable {
  /** Resolves once a write waits at the gate. */
  held(): Promise<void>;
  /** Lets writes through again; `full` makes those that wait fail with ENOSPC. */
  release(how?: 'full'): void;
}

/** Holds writes from this call on; one at a time. */
export function holdWal(folder: string): HeldWal {
  const real = fs.write;
  let isOpen = false;
  const waiting: ((how: 'full' | undefined) => void)[] = [];
  const listeners: (() => void)[] = [];

  const write = (...args: unknown[]): void => {
    const go = (): void => (real as (...all: unknown[]) => void)(...args);
    const [fd] = args as [number];
    const file = fs.readlinkSync(`/proc/self/fd/${fd}`);
    if (isOpen || !file.startsWith(`${folder}${path.sep}`) || !/\/wal\/[^/]+$/.test(file)) {
      go();
      return;
    }
    waiting.push((how) => {
      if (how !== 'full') {
        go();
        return;
      }
      const done = args.at(-1) as (error: Error) => void;
      done(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));
    });
    for (const done of listeners.splice(0)) done();
  };
  fs.write = write as typeof fs.write;

  const wal: HeldWal = {
    held: () => (waiting.length ? Promise.resolve() : new Promise((done) => void listeners.push(done))),
    release(how) {
      isOpen = true;
      for (const go of waiting.splice(0)) go(how);
    },
    [Symbol.dispose]() {
      wal.release();
      fs.write = real;
    },
  };
  return wal;
}
