// A control group whose processes together may use so much memory; Linux ends one of them beyond it. Only root can make
// one, and only if the memory controller is available; otherwise the peak of resident memory has to do.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../src/lib/error-code.ts';

export interface MemoryGroup {
  /** Wraps the command so that it runs in the group. */
  enter(command: readonly string[]): string[];
  /** Removes the group; call it after its processes have ended. */
  remove(): void;
}

/** Returns undefined if no group can be made. */
export function createMemoryGroup(limitBytes: number): MemoryGroup | undefined {
  for (const [parent, file] of parents()) {
    const folder = path.join(parent, `colophon-bench-${process.pid}-${limitBytes}`);
    try {
      fs.mkdirSync(folder);
      fs.writeFileSync(path.join(folder, file), String(limitBytes));
    } catch (error) {
      if (fs.existsSync(folder)) fs.rmdirSync(folder);
      if (!isCode(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT')) throw error;
      continue;
    }
    const members = path.join(folder, 'cgroup.procs');
    return {
      enter: (command) => ['/bin/sh', '-c', `echo $$ > '${members}' && exec "$@"`, 'sh', ...command],
      remove: () => fs.rmdirSync(folder),
    };
  }
  return undefined;
}

/** This process's control group, of either version, and the file with its limit. */
function parents(): [string, string][] {
  return fs
    .readFileSync('/proc/self/cgroup', 'utf8')
    .split('\n')
    .flatMap((line): [string, string][] => {
      const [, controllers, group] = /^\d+:([^:]*):(.*)$/.exec(line) ?? [];
      if (group === undefined) return [];
      if (controllers === '') return [[path.join('/sys/fs/cgroup', group), 'memory.max']];
      if (controllers === 'memory') return [[path.join('/sys/fs/cgroup/memory', group), 'memory.limit_in_bytes']];
      return [];
    });
}
