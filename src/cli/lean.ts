// Starts this process again with settings that a process can only be started with, and that keep what it takes of the
// machine's memory near what it uses. It stays the same process: its id, its streams and its parent's view of it.
import { setFlagsFromString } from 'node:v8';

/**
 * Young objects of a thread get 8 MB and not 32: what is garbage by then would stay resident. The second one lets a thread
 * that has become idle collect (src/lib/idle-collection.ts).
 */
export const ARGS = ['--max-semi-space-size=8', '--expose-gc'];
/** The C library gives back pieces that are not small when they are freed, and keeps one heap for all threads. */
export const VARIABLES = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '16384',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/**
 * The size for young objects is the main thread's: as a flag it would also replace what each thread is started with
 * (resourceLimits). Threads that start from now on have their own.
 */
export function leaveThreadsTheirs(): void {
  if (process.execArgv.includes(ARGS[0]!)) setFlagsFromString('--max-semi-space-size=0');
}

/** Returns if the process has the settings, or if the system cannot start it again. An operator's own values stay. */
export function becomeLean(variables: Readonly<Record<string, string | undefined>>, more = {}): void {
  const given = [...process.execArgv, variables.NODE_OPTIONS].join(' ');
  if (ARGS.some((arg) => given.includes(arg.split('=', 1)[0]!))) return;
  // A channel to the parent would end here; Windows cannot do it, nor can the oldest Node that runs the service.
  if (process.channel || process.platform === 'win32' || !process.execve) return;
  const args = [process.execPath, ...process.execArgv, ...ARGS, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...VARIABLES, ...more, ...variables } as Record<string, string>);
}
