// A control group whose processes together may have so much memory; Linux ends one of them beyond it. Only root can make
// one, and only where the memory controller is there: elsewhere the peak of what was resident has to do.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../src/lib/error-code.ts';

export interface MemoryGroup {
  /** The command as one that runs in the group. */
  enter(command: readonly string[]): string[];
  /** Not before its processes have ended. */
  remove(): void;
}

/** Undefined where there is none to be had. */
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

/** This process's own group, of either version, and the file that has its limit. */
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
