// Ends the processes of a build, whatever they do: the whole group first, then, on Linux, those that left it and are
// known by the build's own TMPDIR in their environment. Must never reach a process of anyone else.
import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isCode } from '../../lib/error-code.ts';

/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 2000;
const LOOK_MS = 20;
/** A killed process may wait for a disk; a zombie whose parent does not look stays for good. */
const KILLED_MS = 1000;

export interface EndOptions {
  /** Id of the leader, which is the id of its group. */
  group: number | undefined;
  /** A variable with its value, `TMPDIR=...`, that no other process has. */
  mark: string;
  graceMs?: number;
}

/** Resolves once no process of the build is left, or when even SIGKILL has had a second. */
export async function endProcesses({ group, mark, graceMs = GRACE_MS }: EndOptions): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', KILLED_MS],
  ] as const) {
    const endMs = performance.now() + patienceMs;
    for (let isFirst = true; ; isFirst = false) {
      const left = [...(group === undefined || !isAlive(-group) ? [] : [-group]), ...findStrays(mark)];
      if (left.length === 0) return;
      // SIGKILL again and again: a process that forks all the time may have missed it.
      if (isFirst || signal === 'SIGKILL') for (const id of left) send(id, signal);
      if (performance.now() > endMs) break;
      await delay(LOOK_MS);
    }
  }
}

/** Processes that left the group. Empty if the system has no /proc. */
function findStrays(mark: string): number[] {
  const own = String(process.pid);
  return listProc().flatMap((id) => (id !== own && hasInEnvironment(id, mark) ? [Number(id)] : []));
}

function listProc(): string[] {
  if (process.platform !== 'linux') return [];
  return fs.readdirSync('/proc').filter((name) => /^[1-9][0-9]*$/.test(name));
}

function hasInEnvironment(id: string, mark: string): boolean {
  const bytes = orUndefined(() => fs.readFileSync(`/proc/${id}/environ`));
  return bytes !== undefined && `\0${bytes.toString('latin1')}\0`.includes(`\0${mark}\0`);
}

/** Undefined for a process that has ended, or belongs to another user. */
function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined;
    throw error;
  }
}

function isAlive(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch (error) {
    if (isCode(error, 'ESRCH', 'EPERM')) return false;
    throw error;
  }
}

function send(id: number, signal: NodeJS.Signals): void {
  try {
    process.kill(id, signal);
  } catch (error) {
    if (!isCode(error, 'ESRCH', 'EPERM')) throw error;
  }
}
