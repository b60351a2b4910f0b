// One process per data folder. SQLite's exclusive lock on a file of its own is a kernel lock, so SIGKILL frees it at
// once. Nothing else may open that file: closing any descriptor of it in this process would drop the lock.
import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Another process holds the data folder; the command line exits with 75 (EX_TEMPFAIL). */
export class FolderInUseError extends Error {
  readonly pid: number | undefined;

  constructor(pid: number | undefined) {
    super(`data folder is in use by process ${pid ?? '(unknown)'}`);
    this.name = 'FolderInUseError';
    this.pid = pid;
  }
}

const SQLITE_BUSY = 5;

/** @throws FolderInUseError */
export function lockFolder(folder: string): { release(): void } {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const pidFile = path.join(folder, 'lock.pid');
  const database = new DatabaseSync(path.join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; CREATE TABLE IF NOT EXISTS lock (held); COMMIT');
  } catch (error) {
    database.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw new FolderInUseError(readPid(pidFile));
    throw error;
  }
  try {
    fs.writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    // The lock holds without it; a full disk only costs the second process the name of the first.
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
  return {
    release() {
      database.close();
    },
  };
}

function readPid(file: string): number | undefined {
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return Number.parseInt(text, 10) || undefined;
}
