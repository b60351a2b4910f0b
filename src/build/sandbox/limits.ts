// Bounds of one build, in every isolation. Memory and processes of a build are the machine's, which others need too.
import os from 'node:os';

/** Processes and threads. */
export const MAX_PROCESSES = 1024;

const MOST_MEMORY = 4 * 2 ** 30;

/** Half of the machine's, 4 GiB at most. With bwrap it holds for each process, in a container for all of them. */
export function toMemoryBytes(totalBytes = os.totalmem()): number {
  return Math.min(MOST_MEMORY, Math.floor(totalBytes / 2));
}

/**
 * A script that limits itself and then becomes `sh -c "$1"`. The limits are set inside, since processes are counted in
 * the sandbox's own user namespace. If memory is short all the same, the kernel ends a build before anything else.
 */
export function toLimitedShell(memoryBytes = toMemoryBytes()): string {
  return [
    `ulimit -u ${MAX_PROCESSES} 2>/dev/null || ulimit -p ${MAX_PROCESSES}`,
    `ulimit -d ${Math.floor(memoryBytes / 1024)}`,
    'ulimit -c 0',
    'echo 1000 2>/dev/null > /proc/self/oom_score_adj',
    'exec /bin/sh -c "$1"',
  ].join('\n');
}
