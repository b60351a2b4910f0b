// A real disk that stops answering: a separate file system in a loop device, frozen by the kernel. Writes and syncs
// there wait until it is thawed; what is in memory can still be read. Needs root, like the tests' other disks.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface FreezableDisk extends Disposable {
  readonly folder: string;
  freeze(): void;
  thaw(): void;
}

export function mountFreezableDisk(sizeMiB: number): FreezableDisk {
  const place = mkdtempSync(join(tmpdir(), 'colophon-freeze-'));
  const image = join(place, 'image');
  const folder = join(place, 'disk');
  const run = (program: string, ...args: string[]): void => void execFileSync(program, args, { stdio: 'pipe' });
  try {
    writeFileSync(image, '');
    truncateSync(image, sizeMiB << 20);
    run('mkfs.ext4', '-q', image);
    mkdirSync(folder);
    run('mount', '-o', 'loop', image, folder);
  } catch (cause) {
    rmSync(place, { recursive: true });
    throw new Error('this test freezes a disk of its own, so it must be allowed to mount one: run it as root', {
      cause,
    });
  }
  let isFrozen = false;
  const disk: FreezableDisk = {
    folder,
    freeze() {
      run('fsfreeze', '--freeze', folder);
      isFrozen = true;
    },
    thaw() {
      if (isFrozen) run('fsfreeze', '--unfreeze', folder);
      isFrozen = false;
    },
    [Symbol.dispose]() {
      disk.thaw();
      // Lazily, because a process that was killed a moment ago may still hold a file.
      run('umount', '--lazy', folder);
      rmSync(place, { recursive: true });
    },
  };
  return disk;
}
