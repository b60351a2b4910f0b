// What Node makes of our sources before it runs them: types are stripped and code is compiled once, and kept in the
// private data folder. The type stripper holds 10 MB in each thread that needs it, until the thread ends; so a start
// that finds nothing compiled runs a separate program for it. The result may be deleted at any time.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { siblingUrl } from '../lib/sibling.ts';
import { leanArgs } from './lean.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const PROGRAM = siblingUrl(import.meta.url, './compile-program');
/** Prefix of folders in the system's temporary folder. */
const PREFIX = 'colophon-compiled-';
/** Arguments that load modules before the service, or a debugger. */
const OF_SERVICE_ALONE = /^--(import|require|loader|experimental-loader|inspect|watch|env-file)/;
/** Compiling takes some seconds, longer on a busy machine. If it fails, the service starts without it. */
const TIMEOUT_MS = 60_000;

/**
 * Returns the folder for NODE_COMPILE_CACHE, or undefined if the operator has set one. Until a service has locked the
 * data folder, it is a temporary folder (`keepCompiled` moves it): a start that fails leaves nothing in a folder that
 * was empty or belongs to something else. A first start that is killed before it serves leaves some 6 MB in the
 * system's temporary folder.
 */
export function prepareCompiled(dataDir: string, variables: Variables): string | undefined {
  if (variables.NODE_COMPILE_CACHE) return undefined;
  const kept = keptIn(dataDir);
  const isOurs = fs.existsSync(path.join(dataDir, 'lock.pid'));
  if (isOurs && fs.existsSync(kept)) return kept;
  try {
    const folder = isOurs ? kept : fs.mkdtempSync(path.join(temporary(), PREFIX));
    const env = { ...variables, NODE_COMPILE_CACHE: folder };
    // With the settings that the service runs with: other settings compile to other code.
    const settings = process.execArgv.filter((arg) => arg.startsWith('--') && !OF_SERVICE_ALONE.test(arg));
    const args = [...settings, ...leanArgs(variables), fileURLToPath(PROGRAM)];
    spawnSync(process.execPath, args, { env, stdio: 'ignore', timeout: TIMEOUT_MS });
    return folder;
  } catch {
    return undefined;
  }
}

/**
 * Moves a temporary folder into the data folder, once the service has started. Returns the folder, or undefined if that
 * failed.
 */
export async function keepCompiled(dataDir: string, folder: string | undefined): Promise<string | undefined> {
  if (!isOutside(folder)) return folder;
  const kept = keptIn(dataDir);
  const making = `${kept}.tmp-${process.pid}`;
  try {
    // The folder may be on another file system.
    await fs.promises.cp(folder, making, { recursive: true });
    await fs.promises.rename(making, kept);
    return kept;
  } catch {
    // Without it the next start takes a second longer.
    await fs.promises.rm(making, { recursive: true, force: true });
    return undefined;
  }
}

/** Removes the temporary folder, moved or not. */
export function removeOutside(folder: string | undefined): void {
  if (isOutside(folder)) fs.rmSync(folder, { recursive: true, force: true });
}

function keptIn(dataDir: string): string {
  return path.join(dataDir, 'cache');
}

function temporary(): string {
  return path.resolve(os.tmpdir());
}

function isOutside(folder: string | undefined): folder is string {
  return folder !== undefined && path.dirname(folder) === temporary() && path.basename(folder).startsWith(PREFIX);
}
