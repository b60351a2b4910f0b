// A digest of what a site is built with besides its documents: configuration and theme. Does not follow links.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SiteConfig } from '../../config/site-config.ts';
import { isCode } from '../../lib/error-code.ts';

/** `folder` is that of the configuration's file. Hex. */
export async function digestConfiguration(config: SiteConfig, folder: string): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify(config));
  const theme = path.resolve(folder, config.build?.theme ?? 'theme');
  for (const name of await listThemeFiles(theme)) {
    const bytes = await readFile(path.join(theme, name)).catch(undefinedIfGone);
    if (bytes) hash.update(`\0${name}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex');
}

/** Sorted, below the folder; empty without a theme of the site's own. */
async function listThemeFiles(theme: string): Promise<string[]> {
  const entries = (await readdir(theme, { recursive: true, withFileTypes: true }).catch(undefinedIfGone)) ?? [];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(theme, path.join(entry.parentPath, entry.name)))
    .sort();
}

function undefinedIfGone(error: unknown): undefined {
  if (isCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
  throw error;
}
