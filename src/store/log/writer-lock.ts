// One process per data folder. SQLite's exclusive lock on a file of its own is a kernel lock, so SIGKILL frees it at
// once. Nothing else may open that file: closing any descriptor of it in this process would drop the lock.
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isCode } from '../../lib/error-code.ts';
import { LOCK_FILE } from '../../lib/lock-file.ts';
import { makeFolders } from '../../lib/make-folders.ts';
import { isNoSpace } from '../../lib/shortage.ts';
import { nodeDisk } from '../disk/disk.ts';
import { fileIdentityOf } from './wal/epoch.ts';

/** Another process holds the data folder; the command line exits with 75 (EX_TEMPFAIL). */
export class FolderInUseError extends Error {
  readonly pid: number | undefined;

  constructor(pid: number | undefined) {
    super(`data folder is in use by process ${pid ?? '(unknown)'}`);
    this.name = 'FolderInUseError';
    this.pid = pid;
  }
}

/** Keeps the handles reachable: a handle that is garbage-collected is closed, and the lock is lost with it. */
const handles = new Set<DatabaseSync>();

const SQLITE_BUSY = 5;
/** How long a lock may be busy while its file names no living process: others that start now hold it for moments. */
const NAMELESS_MS = 2000;
const RETRY_MS = 20;
const LOOK_MS = 500;

export interface FolderLock {
  release(): void;
  /** Why the lock no longer holds: its name leads to no file, or to another one, which another process can lock. */
  lost(): string | undefined;
}

/** @throws FolderInUseError */
export function lockFolder(folder: string): FolderLock {
  makeFolders(fs, folder, 0o700);
  const pidFile = path.join(folder, 'lock.pid');
  const started = performance.now();
  const file = path.join(folder, LOCK_FILE);
  let database = acquireLock(file);
  while (!database) {
    // The process id is written after the lock is acquired, so for a moment it may be that of a process that has ended.
    const pid = readPid(pidFile);
    if (pid !== undefined && isAlive(pid)) throw new FolderInUseError(pid);
    if (performance.now() - started > NAMELESS_MS) throw new FolderInUseError(undefined);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    database = acquireLock(file);
  }
  const held = database;
  const identity = fileIdentityOf(nodeDisk, file);
  handles.add(held);
  const release = (): void => {
    if (handles.delete(held)) held.close();
  };
  try {
    fs.writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    // The lock holds without it; with a full disk the second process only cannot name the first.
    if (!isNoSpace(error)) {
      release();
      throw error;
    }
  }
  return {
    release,
    lost() {
      if (fileIdentityOf(nodeDisk, file) === identity) return undefined;
      return `lock file "${file}" is gone or was replaced: another process can lock the data folder`;
    },
  };
}

/** Calls `onLost` once if the lock no longer holds; returns a function that ends the watch. */
export function watchLock(lock: FolderLock, onLost: (reason: string) => void): () => void {
  const timer = setInterval(() => {
    const reason = lock.lost();
    if (reason === undefined) return;
    clearInterval(timer);
    onLost(reason);
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Returns undefined if another process has the lock right now. */
function acquireLock(file: string): DatabaseSync | undefined {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS lock (held); COMMIT');
    return database;
  } catch (error) {
    database.close();
    // The low byte is the error; the others say what was busy.
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY) return undefined;
    throw error;
  }
}

function readPid(file: string): number | undefined {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return Number.parseInt(text, 10) || undefined;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (isCode(error, 'ESRCH')) return false;
    if (isCode(error, 'EPERM')) return true;
    throw error;
  }
}
