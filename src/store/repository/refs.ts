// The branch: read as git reads it (loose file, then packed-refs), moved by compare-and-swap under git's own
// `<ref>.lock`. The lock is a hard link to a file of ours with the full new content: it is never seen half-written, and
// after a crash a lock that is ours can be told from anybody else's.
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type Disk, removeLeftover } from '../disk/disk.ts';
import type { Oid } from '../git/objects.ts';

export type MoveOutcome = 'moved' | 'changed' | 'locked';

export interface Branch {
  /** Null where there is no such branch. Throws where its file holds something else than a commit id. */
  read(): Oid | null;
  /**
   * Moves the branch from `expected` to `to` durably. Answers `moved`, `changed` where the branch is elsewhere, or
   * `locked` where somebody (git) holds the lock right now. Throws an error without a code where it was moved and may not
   * be on the disk: trying again would find it moved by somebody else. `isLogged`: the write-ahead log has the commit, so
   * that a start recognises a lock with this commit as ours.
   */
  move(expected: Oid | null, to: Oid, options?: { isLogged: boolean }): MoveOutcome;
  /** Removes the ref durably, packed or loose; `changed` where it came to be elsewhere meanwhile. */
  remove(): 'removed' | 'changed' | 'locked';
  /** Changes whenever the branch may have changed; two stats, for polling. */
  stamp(): string;
  /** The lock's file, for messages. */
  readonly lockFile: string;
}

const ONE_ID = /^[0-9a-f]{40}\n$/;
/** What `link` answers where the file system has no hard links. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** What the ref that is being moved will hold; a lock with the same content is ours. Two may be moved at once. */
export const OWN = 'colophon-ref';
const PACKED = 'packed-refs';
const PACKED_HEADER = '# pack-refs with: peeled fully-peeled sorted \n';
export const MAIN = 'refs/heads/main';

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
    // Taking it for a branch that is not there would start a new history over the old one.
    const target = /^ref:\s*(\S+)/.exec(loose)?.[1];
    const what = target ? `is a symbolic ref to ${target}` : loose === '' ? 'is empty' : 'holds no commit id';
    const remedy = target ? `(\`git rev-parse ${target}\` says it)` : '';
    throw new ServiceError(
      'unavailable',
      `branch cannot be read: ${file} ${what}; write the id of its last commit there ${remedy}`.trimEnd(),
    );
  }

  function syncMoved(): void {
    try {
      disk.syncFolder(path.dirname(file));
    } catch (cause) {
      throw new Error(`branch was moved, and ${path.dirname(file)} cannot be synced`, { cause });
    }
  }

  return {
    lockFile: lock,
    read,
    move(expected, to, { isLogged } = { isLogged: false }) {
      if (disk.stat(lock)) return 'locked'; // asked again and again while git has it: nothing is written for that
      const content = Buffer.from(`${to}\n`, 'latin1');
      disk.makeFolder(path.dirname(file));
      disk.remove(own);
      disk.createFile(own, [content]);
      // Otherwise a power cut may leave the lock without what tells whose it is.
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
          if (!isLogged) disk.syncFolder(path.dirname(file)); // it must not come back when `own` is gone
        }
        release();
        removeLeftover(disk, own);
      }
    },
    remove() {
      const oid = read();
      if (oid === null) return 'removed';
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
        // First: a loose ref that goes while a packed one stands would bring that one back.
        if (!dropPackedRef(disk, repository, ref)) return 'locked';
        disk.remove(file);
        return 'removed';
      } finally {
        disk.remove(lock);
        disk.syncFolder(path.dirname(file)); // the lock must not come back when `own` is gone
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

/** False where somebody has it. */
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

/** Takes a ref's line out of packed-refs, under git's own lock on that; false where somebody else holds it. */
function dropPackedRef(disk: Disk, repository: string, ref: string): boolean {
  const file = path.join(repository, PACKED);
  const lock = `${file}.lock`;
  const own = path.join(repository, `${OWN}-packed`);
  const before = disk.readFile(file);
  if (findPackedRef(before, ref) === null) return true;
  const lines = before!.toString('utf8').split('\n');
  const at = lines.findIndex((line) => line.slice(41) === ref);
  // Behind an annotated tag stands what it points to.
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

/** `git pack-refs` removes folders that it has emptied, in between two calls of ours too. */
const FOLDER_TRIES = 5;

/** Moving a ref makes the folder that it is in; git may take that away in the same moment. */
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
 * For a start, and after the end of a thread that moved the branch: removes the locks that a crash of ours left, and
 * makes durable what was made of refs; what follows builds on it. `isLogged` knows the commits of the write-ahead log.
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
    // Before `own` goes: neither a lock that is gone may come back then, nor one that a ref was made of.
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

/** All branches, tags and whatever else points to an object; symbolic refs are left out. */
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
