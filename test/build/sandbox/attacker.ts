// Starts attack.ts as some user, with secrets in the environment of its process.
import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { ROOT } from '../../support/source.ts';
import type { AttackOrder, AttackResult } from './attack.ts';

export const SECRET = 'sesame-of-the-operator';
const NOBODY = 65534;
/** That of the tests with a process: a start takes half as long. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/process-tests');

export interface AttackAs {
  /** Runs as root, or as a user who is nobody, whom only root can become. */
  user?: 'root' | 'plain';
  /** What runs the process, such as `unshare ... --`. */
  within?: readonly string[];
  order?: Partial<AttackOrder>;
}

export const isRoot = process.getuid?.() === 0;

/** Undefined if the program is not on the PATH. */
export function findProgram(name: string): string | undefined {
  const folders = `${process.env.PATH}${delimiter}/usr/sbin`.split(delimiter);
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file));
}

/** A folder with what shells need and nothing else, besides scripts of the test: without bwrap, unless it is one. */
export function makeProgramFolder(scripts: Record<string, string> = {}): Disposable & { folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'colophon-programs-'));
  chmodSync(folder, 0o755);
  symlinkSync(process.execPath, join(folder, 'node'));
  for (const name of ['sh', 'env', 'sleep', 'setsid', 'setpriv', 'unshare', 'mkdir']) {
    const found = findProgram(name);
    if (found) symlinkSync(found, join(folder, name));
  }
  for (const [name, script] of Object.entries(scripts))
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

export function startAttack({ user, within = [], order }: AttackAs): Promise<AttackResult> {
  const temporary = mkdtempSync(join(tmpdir(), 'colophon-attack-'));
  const isPlain = user === 'plain' && isRoot;
  if (isPlain) chownSync(temporary, NOBODY, NOBODY);
  chmodSync(temporary, 0o755);
  // Node's own folder is the checkout's, so it is not what a system has.
  const searchPath = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter);
  const argument = JSON.stringify({ searchPath, ...order } satisfies AttackOrder);
  const asUser = ['setpriv', '--reuid', `${NOBODY}`, '--regid', `${NOBODY}`, '--clear-groups', '--'];
  const program = [process.execPath, join(import.meta.dirname, 'attack.ts'), argument];
  const [first, ...rest] = [...within, ...(isPlain ? asUser : []), ...program];
  const env = {
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    PATH: process.env.PATH,
    TMPDIR: temporary,
    HOME: temporary,
    ANTHROPIC_API_KEY: SECRET,
  };
  return new Promise((resolve, reject) => {
    execFile(first!, rest, { env, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
      rmSync(temporary, { recursive: true, force: true });
      if (error) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(JSON.parse(stdout) as AttackResult);
    });
  });
}
