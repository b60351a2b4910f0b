// One writer at a time on a file, across processes: the command line may add a user while the service runs. Held for
// the milliseconds of one write. It has the process id in it, so that it can outlive its holder's death without
// blocking others.
import { open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { isCode } from '../lib/error-code.ts';
import { ServiceError } from '../lib/errors.ts';

const RETRY_MS = 10;
const PATIENCE_MS = 10_000;
/** No write takes that long; the process id in a lock this old has been reused by the system. */
const STALE_MS = 60_000;

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

/**
 * Returns true if the process that made the lock is gone. Our own id in a lock older than this process is a
 * predecessor's (containers).
 */
async function isAbandoned(path: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    const ageMs = Date.now() - mtimeMs;
    if (ageMs > STALE_MS) return true;
    const pid = Number(text);
    if (!Number.isInteger(pid) || pid <= 0) return ageMs > 1000;
    if (pid === process.pid) return ageMs > process.uptime() * 1000;
    return !isAlive(pid);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

async function acquire(path: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(String(process.pid));
  } catch (error) {
    // On a full disk: a lock without an id in it would block every process.
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

/** Runs `work` while holding `path`; 503 if another process holds it for ten seconds. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  for (;;) {
    try {
      await acquire(path);
      break;
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
      if (await isAbandoned(path)) {
        await rm(path, { force: true });
        continue;
      }
      if (performance.now() - started > PATIENCE_MS) {
        throw new ServiceError('unavailable', `another process is writing: "${path}" is held`);
      }
      await delay(RETRY_MS);
    }
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}
