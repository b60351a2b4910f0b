// Starts this process again with settings that a process can only be started with, and that keep what it takes of the
// machine's memory near what it uses. It stays the same process: its id, its streams and its parent's view of it.
import { setFlagsFromString } from 'node:v8';

/**
 * Young objects of the main thread get 16 MB and not 32, so that a small server has room for the rest while it is busy. They
 * keep 4 behind the collection of an idle thread (src/lib/memory/idle-collection.ts), which the last one is for: reads leave little
 * that lives, so V8 would not let their room grow again, and would collect three times as often.
 */
export const ARGS = ['--max-semi-space-size=16', '--min-semi-space-size=4', '--expose-gc'];
/** The C library gives back pieces that are not small when they are freed, and keeps one heap for all threads. */
export const VARIABLES = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '8192',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/**
 * The sizes for young objects are the main thread's: as flags they would also replace what each thread is started with
 * (resourceLimits). Threads that start from now on have their own.
 */
export function leaveThreadsTheirs(): void {
  if (!process.execArgv.includes(ARGS[0]!)) return;
  for (const size of ['--max-semi-space-size=0', '--min-semi-space-size=0']) setFlagsFromString(size);
}

type Variables = Readonly<Record<string, string | undefined>>;

/** What the process is to be started again with: nothing if it has the settings, or if the system cannot do it. */
export function leanArgs(variables: Variables): readonly string[] {
  const given = [...process.execArgv, variables.NODE_OPTIONS].join(' ');
  // An operator's own values stay.
  if (ARGS.some((arg) => given.includes(arg.split('=', 1)[0]!))) return [];
  // A channel to the parent would end here; Windows cannot do it, nor can the oldest Node that runs the service.
  return process.channel || process.platform === 'win32' || !process.execve ? [] : ARGS;
}

/** Returns if there is nothing to start it again with. */
export function becomeLean(variables: Variables): void {
  const more = leanArgs(variables);
  if (more.length === 0) return;
  const args = [process.execPath, ...process.execArgv, ...more, ...process.argv.slice(1)];
  process.execve!(process.execPath, args, { ...VARIABLES, ...variables } as Record<string, string>);
}
