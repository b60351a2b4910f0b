// Finds the files of an import and reads them as text. Must not leave the folder: reports a symbolic link that points
// outside, and does not follow it.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import { invalid, ServiceError } from '../lib/errors.ts';

export const EXTENSIONS = ['.md', '.mdx', '.markdown', '.json'] as const;
/** A document has at most 1 MiB of JSON; with indentation or escapes, it can be several times as long. */
export const MAX_FILE_BYTES = 8 * 1024 * 1024;

export interface FolderListing {
  /** Paths relative to the folder with `/` between the segments, sorted by their bytes. */
  files: string[];
  /** Links that leave the folder or lead nowhere. */
  skipped: string[];
}

/** Every file with a supported extension. Skips names that start with a dot, and `node_modules`. */
export function listFiles(folder: string): FolderListing {
  const root = realFolder(folder);
  const files: string[] = [];
  const skipped: string[] = [];
  const visit = (below: string) => {
    for (const entry of fs.readdirSync(path.join(root, below), { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const name = below ? `${below}/${entry.name}` : entry.name;
      if (entry.isDirectory()) visit(name);
      else if (entry.isFile() && isOurs(name)) files.push(name);
      else if (entry.isSymbolicLink()) followLink(root, name, files, skipped);
    }
  };
  visit('');
  return { files: files.sort(byBytes), skipped: skipped.sort(byBytes) };
}

/** The file as text: strict UTF-8, without a byte order mark. */
export function readText(folder: string, file: string): string {
  const full = path.join(folder, file);
  const { size } = fs.statSync(full);
  if (size > MAX_FILE_BYTES) throw new ServiceError('too_large', `the file has ${size} bytes`);
  const bytes = fs.readFileSync(full);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('the file is not UTF-8 text');
  }
}

function realFolder(folder: string): string {
  const real = orUndefined(() => fs.realpathSync(folder));
  if (real === undefined) throw new ServiceError('not_found', `folder "${folder}" not found`);
  if (!fs.statSync(real).isDirectory()) throw invalid(`"${folder}" is not a folder`);
  return real;
}

/** A link to a file inside is a file of its own; files of a linked folder inside are read only under their own path. */
function followLink(root: string, name: string, files: string[], skipped: string[]): void {
  const real = orUndefined(() => fs.realpathSync(path.join(root, name)));
  const isInside = real === root || real?.startsWith(root + path.sep);
  if (real === undefined || !isInside) skipped.push(name);
  else if (fs.statSync(real).isFile() && isOurs(name)) files.push(name);
}

function isOurs(name: string): boolean {
  return (EXTENSIONS as readonly string[]).includes(path.posix.extname(name).toLowerCase());
}

function byBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ELOOP', 'ENOTDIR')) return undefined;
    throw error;
  }
}
