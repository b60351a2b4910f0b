// Starts this process again with settings that only a new process can have, and that keep the memory it reserves near
// what it uses. It stays the same process: its id, its streams and its parent do not change.
import { setFlagsFromString } from 'node:v8';

/**
 * The main thread's young objects get 16 MB and not 32, so that a small server has space for the rest while it is busy.
 * They keep 4 MB when an idle thread collects (src/lib/memory/idle-collection.ts, which needs the last flag): reads
 * leave few live objects, so V8 would not let the space grow again, and would collect three times as often.
 */
export const ARGS = ['--max-semi-space-size=16', '--min-semi-space-size=4', '--expose-gc'];
/** The C library returns all but small pieces as soon as they are freed, and keeps one heap for all threads. */
export const VARIABLES = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '8192',
  MALLOC_TRIM_THRESHOLD_: '65536',
};

/**
 * The sizes for young objects are for the main thread: as flags they would also override the limits that each thread is
 * started with (resourceLimits). Threads that start from now on have their own.
 */
export function leaveThreadsTheirs(): void {
  if (!process.execArgv.includes(ARGS[0]!)) return;
  for (const size of ['--max-semi-space-size=0', '--min-semi-space-size=0']) setFlagsFromString(size);
}

type Variables = Readonly<Record<string, string | undefined>>;

/** The arguments to start the process again with: none if it has the settings, or if the system cannot do it. */
export function leanArgs(variables: Variables): readonly string[] {
  const given = [...process.execArgv, variables.NODE_OPTIONS].join(' ');
  // Values that the operator set stay.
  if (ARGS.some((arg) => given.includes(arg.split('=', 1)[0]!))) return [];
  // A channel to the parent would be closed; Windows and the oldest supported Node cannot do it.
  return process.channel || process.platform === 'win32' || !process.execve ? [] : ARGS;
}

/** Returns only if there is no need to start the process again. */
export function becomeLean(variables: Variables): void {
  const more = leanArgs(variables);
  if (more.length === 0) return;
  const args = [process.execPath, ...process.execArgv, ...more, ...process.argv.slice(1)];
  process.execve!(process.execPath, args, { ...VARIABLES, ...variables } as Record<string, string>);
}
