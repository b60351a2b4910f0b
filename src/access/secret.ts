// Secrets that are generated once and kept in the data folder with mode 0600: the one that replaces an unset
// CMS_JWT_SECRET, and the salt of the keys (keys.ts).
import { randomBytes } from 'node:crypto';
import { chmodSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolderNow, syncNow } from '../data/durable.ts';
import { isCode } from '../lib/error-code.ts';

const MIN_LENGTH = 32;

function findSecret(path: string): string | undefined {
  try {
    const secret = readFileSync(path, 'utf8').trim();
    chmodSync(path, 0o600);
    if (secret.length >= MIN_LENGTH) return secret;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  throw new Error(`file "${path}" is damaged: restore it, or remove it to end every session and start with a new one`);
}

/** Reads the secret from the file at `path`, or generates it. Two processes that do so at once get the same secret. */
export function getSecret(path: string): string {
  const found = findSecret(path);
  if (found !== undefined) return found;
  makePrivateFolderNow(dirname(path));
  const temporary = `${path}.${process.pid}.tmp`;
  rmSync(temporary, { force: true });
  try {
    writeFileSync(temporary, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600 });
    syncNow(temporary);
    // Unlike a rename, a link fails instead of silently replacing the other process's secret.
    linkSync(temporary, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
  syncNow(dirname(path));
  const made = findSecret(path);
  if (made === undefined) throw new Error(`file "${path}" vanished while it was being created`);
  return made;
}
