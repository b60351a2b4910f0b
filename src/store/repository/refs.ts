// The branch: read as git reads it (loose file, then packed-refs), moved by compare-and-swap under git's own
// `<ref>.lock`. The lock is a hard link to a file of ours with the full new content: it is never seen half-written, and
// after a crash our locks can be told apart from others.
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type Disk, removeLeftover } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';

export type MoveOutcome = 'moved' | 'changed' | 'locked';

export interface Branch {
  /** Returns null if there is no such branch. Throws if its file does not hold a commit id. */
  read(): Oid | null;
  /**
   * Moves the branch from `expected` to `to` durably. Returns `moved`, `changed` if the branch is not at `expected`, or
   * `locked` if another process (git) holds the lock right now. Throws an error without a code if the branch was moved
   * but may not be on the disk: another try would see it as moved by another process. `isLogged`: the write-ahead log
   * has the commit, so a start recognises a lock with this commit as ours.
   */
  move(expected: Oid | null, to: Oid, options?: { isLogged: boolean }): MoveOutcome;
  /** Removes the ref durably, packed or loose. Returns `changed` if it was moved meanwhile, or is not at `expected`. */
  remove(expected?: Oid): 'removed' | 'changed' | 'locked';
  /** A text that differs whenever the branch may have changed; costs two stats, for polling. */
  stamp(): string;
  /** Path of the lock, for messages. */
  readonly lockFile: string;
}

const ONE_ID = /^[0-9a-f]{40}\n$/;
/** Error codes of `link` on a file system without hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** File with the new content of the ref that is being moved; a lock with the same content is ours. */
export const OWN = 'colophon-ref';
const PACKED = 'packed-refs';
const PACKED_HEADER = '# pack-refs with: peeled fully-peeled sorted \n';
export const MAIN = 'refs/heads/main';

/** Differs by ref, because two refs may be moved at once. */
function ownName(ref: string): string {
  return ref === MAIN ? OWN : `${OWN}-${ref.replaceAll('/', '-')}`;
}

export function createBranch(disk: Disk, repository: string, ref = MAIN): Branch {
  const file = path.join(repository, ref);
  const lock = `${file}.lock`;
  const own = path.join(repository, ownName(ref));
  const packed = path.join(repository, PACKED);

  function read(): Oid | null {
    const loose = disk.readFile(file)?.toString('latin1').trimEnd();
    if (loose === undefined) return findPackedRef(disk.readFile(packed), ref);
    if (/^[0-9a-f]{40}$/.test(loose)) return loose;
    // Treating it as a missing branch would start a new history over the old one.
    const target = /^ref:\s*(\S+)/.exec(loose)?.[1];
    const what = target ? `is a symbolic ref to ${target}` : loose === '' ? 'is empty' : 'does not hold a commit id';
    const remedy = target ? `(\`git rev-parse ${target}\` prints it)` : '';
    throw new ServiceError(
      'unavailable',
      `branch cannot be read: "${file}" ${what}; write the id of its last commit into it ${remedy}`.trimEnd(),
    );
  }

  function syncMoved(): void {
    try {
      disk.syncFolder(path.dirname(file));
    } catch (cause) {
      throw new Error(`branch was moved, but "${path.dirname(file)}" cannot be synced`, { cause });
    }
  }

  return {
    lockFile: lock,
    read,
    move(expected, to, { isLogged } = { isLogged: false }) {
      if (disk.stat(lock)) return 'locked'; // callers try again and again while git holds it: that must write nothing
      const content = Buffer.from(`${to}\n`, 'latin1');
      disk.makeFolder(path.dirname(file));
      disk.remove(own);
      disk.createFile(own, [content]);
      // Otherwise a power cut may leave the lock without the file that shows that it is ours.
      if (!isLogged) disk.syncFolder(repository);
      if (!acquireLock(disk, own, lock, content)) {
        disk.remove(own);
        return 'locked';
      }
      let held = true;
      let release = (): void => undefined;
      try {
        if (read() !== expected) return 'changed';
        release = disk.holdFolder(path.dirname(file));
        disk.rename(lock, file);
        held = false;
        syncMoved();
        return 'moved';
      } finally {
        if (held) {
          disk.remove(lock);
          if (!isLogged) disk.syncFolder(path.dirname(file)); // it must not reappear when `own` is gone
        }
        release();
        removeLeftover(disk, own);
      }
    },
    remove(expected) {
      const oid = read();
      if (oid === null) return 'removed';
      if (expected !== undefined && oid !== expected) return 'changed';
      const content = Buffer.from(`${oid}\n`, 'latin1');
      disk.makeFolder(path.dirname(file));
      disk.remove(own);
      disk.createFile(own, [content]);
      disk.syncFolder(repository);
      if (!acquireLock(disk, own, lock, content)) {
        disk.remove(own);
        return 'locked';
      }
      try {
        if (read() !== oid) return 'changed';
        // The packed ref first: removing the loose one before it would bring the packed one back.
        if (!dropPackedRef(disk, repository, ref)) return 'locked';
        disk.remove(file);
        return 'removed';
      } finally {
        disk.remove(lock);
        disk.syncFolder(path.dirname(file)); // the lock must not reappear when `own` is gone
        removeLeftover(disk, own);
      }
    },
    stamp() {
      const loose = disk.stat(file);
      const pack = disk.stat(packed);
      return `${loose?.mtimeMs}:${loose?.ino}:${loose?.size}:${pack?.mtimeMs}:${pack?.ino}`;
    },
  };
}

/** Returns false if another process holds the lock. */
function acquireLock(disk: Disk, own: string, lock: string, content: Buffer): boolean {
  try {
    disk.link(own, lock);
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    if (!isCode(error, ...NO_LINKS)) throw error;
    if (disk.stat(lock)) return false;
    disk.createFile(lock, [content]);
  }
  return true;
}

/** Removes a ref's line from packed-refs, under git's own lock; returns false if another process holds it. */
function dropPackedRef(disk: Disk, repository: string, ref: string): boolean {
  const file = path.join(repository, PACKED);
  const lock = `${file}.lock`;
  const own = path.join(repository, `${OWN}-packed`);
  const before = disk.readFile(file);
  if (findPackedRef(before, ref) === null) return true;
  const lines = before!.toString('utf8').split('\n');
  const at = lines.findIndex((line) => line.slice(41) === ref);
  // The line after an annotated tag holds the object that it points to.
  lines.splice(at, lines[at + 1]?.startsWith('^') ? 2 : 1);
  const content = Buffer.from(lines.join('\n').trim() === '' ? PACKED_HEADER : lines.join('\n'));
  disk.remove(own);
  disk.createFile(own, [content]);
  disk.syncFolder(repository);
  let held = false;
  try {
    held = acquireLock(disk, own, lock, content);
    if (!held || !disk.readFile(file)?.equals(before!)) return false;
    disk.rename(lock, file);
    held = false;
    return true;
  } finally {
    if (held) disk.remove(lock);
    disk.syncFolder(repository);
    removeLeftover(disk, own);
  }
}

/** `git pack-refs` removes folders that it has emptied, even between two calls of ours. */
const FOLDER_TRIES = 5;

/** Tries again if git removes a ref's folder at the moment at which we make it and write into it. */
export function retryMissingFolder<T>(run: () => T): T {
  for (let tries = 1; ; tries++) {
    try {
      return run();
    } catch (error) {
      if (!isCode(error, 'ENOENT') || tries === FOLDER_TRIES) throw error;
    }
  }
}

function findPackedRef(bytes: Buffer | undefined, ref: string): Oid | null {
  const text = bytes?.toString('utf8') ?? '';
  for (const line of text.split('\n')) if (line.slice(41) === ref) return line.slice(0, 40);
  return null;
}

/**
 * Removes the locks that our own crash left, and makes changes of refs durable, because later steps rely on them.
 * Called at a start, and after a thread that moves refs has died. `isLogged` knows the commits of the write-ahead log.
 */
export function settleRefs(disk: Disk, repository: string, isLogged: (commit: Oid) => boolean): void {
  const own = disk.list(repository).flatMap((name) => (name.startsWith(OWN) ? path.join(repository, name) : []));
  const ours = new Set(own.map((file) => disk.readFile(file)?.toString('latin1') ?? ''));
  const walk = (folder: string): void => {
    for (const name of disk.list(folder)) {
      const file = path.join(folder, name);
      if (disk.stat(file)?.isDirectory()) walk(file);
      else if (name.endsWith('.lock')) {
        const held = disk.readFile(file)?.toString('latin1') ?? '';
        if ((ours.has(held) && ONE_ID.test(held)) || isLogged(held.trim())) disk.remove(file);
      }
    }
    // Before `own` is removed: after that, no lock may reappear that was removed or renamed to a ref.
    disk.syncFolder(folder);
  };
  walk(path.join(repository, 'refs'));
  const packedLock = path.join(repository, `${PACKED}.lock`);
  const held = disk.readFile(packedLock)?.toString('latin1');
  if (held && ours.has(held)) {
    disk.remove(packedLock);
    disk.syncFolder(repository);
  }
  for (const file of own) disk.remove(file);
}

/** All branches, tags and other refs; symbolic refs are left out. */
export function listRefs(disk: Disk, repository: string): { name: string; oid: Oid }[] {
  const refs = new Map<string, Oid>();
  const packed = disk.readFile(path.join(repository, PACKED))?.toString('utf8') ?? '';
  for (const line of packed.split('\n')) {
    if (/^[0-9a-f]{40} refs\//.test(line)) refs.set(line.slice(41), line.slice(0, 40));
  }
  const walk = (name: string): void => {
    for (const child of disk.list(path.join(repository, name))) {
      const ref = `${name}/${child}`;
      if (child.endsWith('.lock')) continue;
      if (disk.stat(path.join(repository, ref))?.isDirectory()) walk(ref);
      else {
        const oid = disk.readFile(path.join(repository, ref))?.toString('latin1').trim() ?? '';
        if (!oid.startsWith('ref:')) refs.set(ref, oid);
      }
    }
  };
  walk('refs');
  return [...refs].map(([name, oid]) => ({ name, oid }));
}
