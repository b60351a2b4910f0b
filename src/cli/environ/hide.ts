// Takes secrets out of what the system shows of this process's environment: other processes of the same user read
// /proc/<pid>/environ. The system reads that from the memory of the process, which may overwrite it.
import fs from 'node:fs';
import { isShown } from '../../config/secret-variables.ts';
import { isCode } from '../../lib/error-code.ts';

/** proc_pid_stat(5): the fields after the name, which may contain parentheses. */
const ENV_START = 50 - 3;
const EQUALS = 0x3d;

/** Overwrites the values of all variables that are not to be shown. Returns false if the system does not allow it. */
export function hideEnviron(): boolean {
  if (process.platform !== 'linux') return false;
  let memory: number | undefined;
  try {
    const shown = fs.readFileSync('/proc/self/environ');
    const stat = fs.readFileSync('/proc/self/stat', 'latin1');
    const start = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[ENV_START]);
    memory = fs.openSync('/proc/self/mem', 'r+');
    const held = Buffer.alloc(shown.length);
    fs.readSync(memory, held, 0, held.length, start);
    if (!held.equals(shown)) return false;
    for (const { from, to } of hiddenValues(shown))
      fs.writeSync(memory, Buffer.alloc(to - from), 0, to - from, start + from);
    return hiddenValues(fs.readFileSync('/proc/self/environ')).length === 0;
  } catch (error) {
    // A system without /proc, or one that does not let a process write into its own memory in this way.
    if (!isCode(error, 'ENOENT', 'EACCES', 'EPERM', 'EIO', 'EROFS', 'EINVAL')) throw error;
    return false;
  } finally {
    if (memory !== undefined) fs.closeSync(memory);
  }
}

/** The places of values that are not to be shown and not yet overwritten. */
function hiddenValues(environ: Buffer): { from: number; to: number }[] {
  const found: { from: number; to: number }[] = [];
  for (let at = 0; at < environ.length; ) {
    const zero = environ.indexOf(0, at);
    const to = zero < 0 ? environ.length : zero;
    const equals = environ.subarray(at, to).indexOf(EQUALS);
    const from = at + equals + 1;
    const name = environ.toString('utf8', at, from - 1);
    if (equals >= 0 && from < to && !isShown(name, environ.toString('utf8', from, to))) found.push({ from, to });
    at = to + 1;
  }
  return found;
}
