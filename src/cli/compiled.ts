// What Node makes of our sources before it runs them: types are stripped and code is compiled once, and kept in the data
// folder. What strips types takes 10 MB in each thread that needs it, until the thread ends; so a first start, which
// finds nothing, has it done by a program of its own.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { siblingUrl } from '../lib/sibling.ts';
import { ARGS } from './lean.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const PROGRAM = siblingUrl(import.meta.url, './compile-program');
/** Of folders below the system's temporary one. */
const PREFIX = 'colophon-compiled-';
/** It takes about a second. A service that has to do without starts all the same. */
const TIMEOUT_MS = 30_000;

/**
 * The folder for NODE_COMPILE_CACHE, or undefined if an operator has named one. A first start's lies outside of the data
 * folder until `keepCompiled`: a start that fails leaves nothing in a folder that was empty.
 */
export function prepareCompiled(dataDir: string, variables: Variables): string | undefined {
  if (variables.NODE_COMPILE_CACHE) return undefined;
  const kept = keptIn(dataDir);
  // An installed package has no types to strip.
  if (fs.existsSync(kept) || PROGRAM.href.endsWith('.js')) return kept;
  try {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), PREFIX));
    const env = { ...variables, NODE_COMPILE_CACHE: folder };
    // With the settings that the service runs with: other settings, other code.
    const args = [...process.execArgv, ...ARGS, fileURLToPath(PROGRAM)];
    spawnSync(process.execPath, args, { env, stdio: 'ignore', timeout: TIMEOUT_MS });
    return folder;
  } catch {
    return undefined;
  }
}

/** Once the service has started: puts what was compiled for a first start into the data folder. Returns where it is now. */
export function keepCompiled(dataDir: string, folder: string | undefined): string | undefined {
  if (!isOwn(folder)) return folder;
  const kept = keptIn(dataDir);
  const making = `${kept}.tmp-${process.pid}`;
  try {
    fs.cpSync(folder, making, { recursive: true });
    fs.renameSync(making, kept);
    return kept;
  } catch {
    // Without it the next start takes a second longer.
    fs.rmSync(making, { recursive: true, force: true });
    return undefined;
  }
}

/** What a first start had compiled, kept or not. */
export function removeCompiled(folder: string | undefined): void {
  if (isOwn(folder)) fs.rmSync(folder, { recursive: true, force: true });
}

function keptIn(dataDir: string): string {
  return path.join(dataDir, 'cache');
}

function isOwn(folder: string | undefined): folder is string {
  return folder !== undefined && path.dirname(folder) === os.tmpdir() && path.basename(folder).startsWith(PREFIX);
}
