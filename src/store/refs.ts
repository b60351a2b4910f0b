// The branch: read as git reads it (loose file, then packed-refs), moved by compare-and-swap under git's own
// `<ref>.lock`. The lock is a hard link to a file of ours with the full new content, so that after a crash a lock that
// is ours can be told from anybody else's.
import path from 'node:path';
import type { Disk } from './disk.ts';
import type { Oid } from './objects.ts';

export interface Branch {
  read(): Oid | null;
  /**
   * Moves the branch from `expected` to `to` durably. Answers `moved`, `changed` where the branch is elsewhere, or
   * `locked` where somebody (git) holds the lock right now.
   */
  move(expected: Oid | null, to: Oid): 'moved' | 'changed' | 'locked';
  /** Removes a lock that a crash of ours left. */
  cleanUp(): void;
  /** Changes whenever the branch may have changed; one stat, for polling. */
  stamp(): string;
}

export function createBranch(disk: Disk, repository: string, ref = 'refs/heads/main'): Branch {
  const file = path.join(repository, ref);
  const lock = `${file}.lock`;
  const own = path.join(repository, 'colophon-ref');
  const packed = path.join(repository, 'packed-refs');

  function read(): Oid | null {
    const loose = disk.readFile(file)?.toString('latin1').trim();
    if (loose && /^[0-9a-f]{40}$/.test(loose)) return loose;
    for (const line of (disk.readFile(packed)?.toString('utf8') ?? '').split('\n')) {
      if (line.slice(41) === ref) return line.slice(0, 40);
    }
    return null;
  }

  return {
    read,
    move(expected, to) {
      disk.makeFolder(path.dirname(file));
      disk.remove(own);
      disk.createFile(own, [Buffer.from(`${to}\n`, 'latin1')]);
      try {
        disk.link(own, lock);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        disk.remove(own);
        return 'locked';
      }
      if (read() !== expected) {
        disk.remove(lock);
        disk.remove(own);
        return 'changed';
      }
      disk.rename(lock, file);
      disk.syncFolder(path.dirname(file));
      disk.remove(own);
      return 'moved';
    },
    cleanUp() {
      const mine = disk.stat(own);
      const held = disk.stat(lock);
      if (mine && held && mine.ino === held.ino && mine.dev === held.dev) disk.remove(lock);
      if (mine) disk.remove(own);
    },
    stamp() {
      const loose = disk.stat(file);
      const pack = disk.stat(packed);
      return `${loose?.mtimeMs}:${loose?.ino}:${loose?.size}:${pack?.mtimeMs}:${pack?.ino}`;
    },
  };
}
