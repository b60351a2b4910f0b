// The passwords that attackers try first. The list beside this file names its sources.
import { readFileSync } from 'node:fs';

let known: ReadonlySet<string> | undefined;

/** True if a password is among the 10,000 commonest, in any case. */
export function isWeakPassword(password: string): boolean {
  known ??= read();
  return known.has(password.toLowerCase());
}

/** Runs only when a password is first set; in most processes that never happens. */
function read(): Set<string> {
  const lines = readFileSync(new URL('weak-passwords.txt', import.meta.url), 'utf8').split('\n');
  return new Set(lines.filter((line) => line !== '' && !line.startsWith('#')));
}
