// The limit on the size of a file, of a process that runs.
import { execFileSync } from 'node:child_process';

/** Sets the soft limit, which may be raised again. */
export function limitFiles({ pid }: { pid: number }, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { stdio: 'pipe' });
}
