// How a new site depends on the package that made it: by the file or the checkout it came from, else by its version.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Also right for the compiled command, which is just as deep. */
const ROOT = path.join(import.meta.dirname, '../..');

/**
 * The version for `dependencies` of a package.json in `folder`. `root` is where this package is, `version` its version.
 */
export function dependencyOn(folder: string, version: string, root = ROOT): string {
  const source = path.basename(path.dirname(root)) === 'node_modules' ? readSource(root) : root;
  return source === undefined ? `^${version}` : `file:${path.relative(path.resolve(folder), source)}`;
}

/** The archive that an installed package was unpacked from; undefined if npm noted no archive. */
function readSource(root: string): string | undefined {
  const modules = path.dirname(root);
  const notes = path.join(modules, '.package-lock.json');
  if (!existsSync(notes)) return undefined;
  const { packages = {} } = JSON.parse(readFileSync(notes, 'utf8')) as {
    packages?: Record<string, { resolved?: string }>;
  };
  const resolved = packages[`node_modules/${path.basename(root)}`]?.resolved;
  if (!resolved?.startsWith('file:')) return undefined;
  const file = path.resolve(path.dirname(modules), resolved.slice('file:'.length));
  return existsSync(file) ? file : undefined;
}
