// Starts this process again with the settings of lean.json, which keep what it takes of the machine's memory near what it
// uses, and which a process can only be started with. It stays the same process: its id, its streams and its parent's
// view of it.
import lean from './lean.json' with { type: 'json' };

/** Returns if the process has the settings, or if the system cannot start it again. An operator's own values stay. */
export function becomeLean(env: Record<string, string> = {}): void {
  const given = [...process.execArgv, process.env.NODE_OPTIONS].join(' ');
  if (lean.args.some((arg) => given.includes(arg.split('=', 1)[0]!))) return;
  // A channel to the parent would end here; Windows cannot do it.
  if (process.channel || process.platform === 'win32' || !process.execve) return;
  const args = [process.execPath, ...process.execArgv, ...lean.args, ...process.argv.slice(1)];
  process.execve(process.execPath, args, { ...lean.env, ...env, ...process.env } as Record<string, string>);
}
