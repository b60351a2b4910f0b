// The processes that started this one keep their own environment for as long as they run, and other processes of the same
// user can read it: npm, a supervisor, a shell that stays.
import fs from 'node:fs';
import { isSecret } from '../../config/secret-variables.ts';
import { isCode } from '../../lib/error-code.ts';

type Variables = Readonly<Record<string, string | undefined>>;

export interface ShownSecrets {
  shownPid: number;
  /** Its name, as the system reports it. */
  program: string;
  /** Names of variables. */
  variables: string[];
}

const MAX_ANCESTORS = 8;

/** This process and those above it whose environment shows a secret of ours to other processes of our user. */
export function findShownSecrets(variables: Variables, pid = process.pid): ShownSecrets[] {
  const secrets = Object.entries(variables).filter(([name, value]) => value && isSecret(name, value));
  const found: ShownSecrets[] = [];
  if (secrets.length === 0) return found;
  for (let at = pid, count = 0; at > 0 && count <= MAX_ANCESTORS; count++) {
    const environ = readOf(at, 'environ')?.split('\0');
    const shown = secrets.filter(([name, value]) => environ?.includes(`${name}=${value}`)).map(([name]) => name);
    const [, program = '', parent = '0'] = /^\d+ \((.*)\) \S (\d+)/s.exec(readOf(at, 'stat') ?? '') ?? [];
    if (shown.length > 0) found.push({ shownPid: at, program, variables: shown });
    at = Number(parent);
  }
  return found;
}

/** Undefined without such a process, and if it is another user's. */
function readOf(pid: number, name: string): string | undefined {
  try {
    return fs.readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ESRCH', 'EACCES', 'EPERM')) return undefined;
    throw error;
  }
}
