// The site of a committed deploy: its files are those of the manifest, and never change.
import fs from 'node:fs';
import path from 'node:path';
import type { BoundedBytes } from '../../lib/memory/bounded-bytes.ts';
import type { TreeFiles } from '../disk/tree.ts';
import { parseHeaderRules } from './header-rules.ts';
import { parseRedirects } from './redirects.ts';
import type { SiteRules } from './resolve.ts';
import { createSite, type Site } from './site.ts';

/** Longer files of rules are cut off. */
const MAX_RULES_BYTES = 4 << 20;

export interface DeployedSiteParts {
  folder: string;
  files: TreeFiles;
  small: BoundedBytes;
  log(line: string): void;
}

export async function openDeployedSite({ folder, files, small, log }: DeployedSiteParts): Promise<Site> {
  const read = async (name: string): Promise<string> => (files.has(name) ? readStart(path.join(folder, name)) : '');
  const rules = toRules(await read('_redirects'), await read('_headers'));
  for (const problem of problemsOf(rules)) log(problem);
  const tree = {
    find: (file: string) => files.get(file),
    fileAt: (file: string) => path.join(folder, file),
  };
  return createSite({ tree, rules: () => rules, small, isFixed: true });
}

export function toRules(redirects: string, headers: string): SiteRules {
  return { redirects: parseRedirects(redirects), headers: parseHeaderRules(headers) };
}

export function problemsOf({ redirects, headers }: SiteRules): string[] {
  return [...redirects.problems, ...headers.problems];
}

export async function readStart(file: string): Promise<string> {
  const handle = await fs.promises.open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(Math.min(MAX_RULES_BYTES, (await handle.stat()).size)),
    );
    return buffer.subarray(0, bytesRead).toString();
  } finally {
    await handle.close();
  }
}
