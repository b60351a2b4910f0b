// The limit on file sizes of a running process.
import { execFileSync } from 'node:child_process';

/** Sets the soft limit, which may be raised again. */
export function limitFiles({ pid }: { pid: number }, bytes: number | 'unlimited'): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { stdio: 'pipe' });
}
