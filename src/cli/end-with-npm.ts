// Ends a command that npm or npx runs together with npm. npm passes a signal only to the shell between them, which does
// not pass it on, and other signals kill npm silently: the service would go on with no way to stop it, holding its port
// and its data.
import { readFileSync } from 'node:fs';
import { isCode } from '../lib/error-code.ts';

const LOOK_MS = 250;
/** npm, its shell, and the launcher of an older Node. */
const MAX_ANCESTORS = 4;
/** Matches if npm runs this program in the foreground; other scripts may start the service and leave it running. */
const OWN_SCRIPT = /(?:\bcolophon(?:\.js)?|\bmain\.[jt]s)['"]?(?=\s|$)(?!.*&\s*$)/;

/** Watches npm and the processes between it and this one; when one of them is gone, this process gets SIGTERM. */
export function endWithNpm(variables: Record<string, string | undefined>): void {
  if (!OWN_SCRIPT.test(variables.npm_lifecycle_script ?? '')) return;
  const chain = findChain();
  const watch = setInterval(() => {
    if (isWhole(chain)) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS).unref();
}

/** Process ids from our parent up to npm; only our parent if npm is not found, or the system has no /proc. */
function findChain(): number[] {
  const chain = [process.ppid];
  while (chain.length <= MAX_ANCESTORS) {
    const { name, parent } = readProcess(chain.at(-1)!);
    if (name.startsWith('npm')) return chain;
    if (!parent) break;
    chain.push(parent);
  }
  return [process.ppid];
}

/** A process that loses its parent gets another one. */
function isWhole(chain: readonly number[]): boolean {
  if (process.ppid !== chain[0]) return false;
  return chain.every((pid, index) => index + 1 === chain.length || readProcess(pid).parent === chain[index + 1]);
}

/** proc_pid_stat(5): `pid (name) state ppid`; the name may contain parentheses. */
function readProcess(pid: number): { name: string; parent?: number } {
  try {
    const [, name = '', parent] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { name, parent: Number(parent) };
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH')) return { name: '' };
    throw error;
  }
}
