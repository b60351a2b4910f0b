// A file system of a few megabytes for tests that fill it up. Mounting needs root, which tests have here and in CI.
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCode } from '../../src/lib/error-code.ts';

export interface SmallDisk extends Disposable {
  readonly folder: string;
  /** Fills the free space, all of it or all but some bytes. */
  fill(leaveBytes?: number): void;
  /** Frees the space again. */
  free(): void;
}

export function mountSmallDisk(sizeMiB: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMiB}m`, 'colophon-test', folder], { stdio: 'pipe' });
  } catch (cause) {
    rmSync(folder, { recursive: true });
    throw new Error('this test fills a disk of its own, so it must be allowed to mount a tmpfs: run it as root', {
      cause,
    });
  }
  const filler = join(folder, 'filler');
  return {
    folder,
    fill(leaveBytes = 0) {
      const fd = openSync(filler, 'a');
      try {
        for (const size of [1 << 20, 4096, 1]) {
          const bytes = Buffer.alloc(size);
          while (hasRoomFor(fd, bytes));
        }
      } finally {
        closeSync(fd);
      }
      truncateSync(filler, Math.max(0, statSync(filler).size - leaveBytes));
    },
    free: () => rmSync(filler, { force: true }),
    [Symbol.dispose]() {
      // Lazily, because a process that was killed a moment ago may still hold a file.
      execFileSync('umount', ['--lazy', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function hasRoomFor(fd: number, bytes: Buffer): boolean {
  try {
    return writeSync(fd, bytes) === bytes.length;
  } catch (error) {
    if (isCode(error, 'ENOSPC')) return false;
    throw error;
  }
}
