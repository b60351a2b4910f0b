// The passwords that everybody tries first. The list beside this file says where it is from.
import { readFileSync } from 'node:fs';

let known: ReadonlySet<string> | undefined;

/** Whether a password is among the 10,000 commonest, in whatever case it is written. */
export function isWeakPassword(password: string): boolean {
  known ??= read();
  return known.has(password.toLowerCase());
}

/** When somebody first sets a password; most processes never do. */
function read(): Set<string> {
  const lines = readFileSync(new URL('weak-passwords.txt', import.meta.url), 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}
