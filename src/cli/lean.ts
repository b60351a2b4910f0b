// Starts this process again with settings that only a new process can have, and that keep the memory it reserves near
// what it uses. It stays the same process: its id, its streams and its parent do not change.
import fs from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { startAgain } from './environ/hand-over.ts';

/**
 * The main thread's young objects get 16 MB and not 32, so that a small server has space for the rest while it is busy.
 * They keep 4 MB when an idle thread collects (src/lib/memory/idle-collection.ts, which needs the last flag): reads
 * leave few live objects, so V8 would not let the space grow again, and would collect three times as often.
 */
export const ARGS = ['--max-semi-space-size=16', '--min-semi-space-size=4', '--expose-gc'];
/** Without it, any process of the same user opens the debugger with a signal, and reads all that the service knows. */
const NO_DEBUGGER = '--disable-sigusr1';
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
  // A channel to the parent would be closed; Windows and the oldest supported Node cannot do it.
  if (process.channel || process.platform === 'win32' || !process.execve) return [];
  const given = [...process.execArgv, variables.NODE_OPTIONS].join(' ');
  // Values that the operator set for the memory stay; they say nothing about the debugger.
  const memory = ARGS.some((arg) => given.includes(arg.split('=', 1)[0]!)) ? [] : ARGS;
  return given.includes(NO_DEBUGGER) ? memory : [...memory, NO_DEBUGGER];
}

/** Passes signals on to its only child, and collects the ended processes that nobody waits for. */
const INITS = ['/usr/bin/tini', '/sbin/tini'];

/**
 * As the first process of a container, `tini` runs in our place and starts us: it is started by us, and not the other way
 * round, because its environment would show our secrets for as long as it runs.
 */
function initArgs(): readonly string[] {
  const init = process.pid === 1 ? INITS.find((file) => fs.existsSync(file)) : undefined;
  return init && process.execve ? [init, '--'] : [];
}

/** Returns only if there is no need to start the process again. `more` are arguments for Node. */
export function becomeLean(variables: Variables, more: readonly string[] = leanArgs(variables)): void {
  const init = initArgs();
  if (more.length === 0 && init.length === 0) return;
  const node = [process.execPath, ...process.execArgv, ...more, ...process.argv.slice(1)];
  startAgain([...init, ...node], more.includes(ARGS[0]!) ? { ...VARIABLES, ...variables } : variables);
}
