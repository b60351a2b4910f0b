// A folder on the disk as a site, whose files may change at any time: what `colophon serve` shows. Like a deploy, it has
// no symbolic links.
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { createBoundedBytes } from '../../lib/memory/bounded-bytes.ts';
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';
import { hashFile, type TreeFile } from '../disk/tree.ts';
import { problemsOf, readStart, toRules } from './deployed-site.ts';
import type { ServedFile, SiteRules } from './resolve.ts';
import { createSite, type SyncSite } from './site.ts';

const MAX_KNOWN = 10_000;

export function createFolderSite(folder: string, log: (line: string) => void): SyncSite {
  const root = fs.realpathSync(folder);
  const known = createBoundedMap<string, TreeFile>(MAX_KNOWN);
  let rules: { made: SiteRules; of: string } | undefined;

  async function find(file: string): Promise<ServedFile | undefined> {
    const place = path.join(root, file);
    const stats = await fs.promises.lstat(place).catch((error: unknown) => {
      if (isCode(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG')) return undefined;
      throw error;
    });
    if (!stats?.isFile() || (await fs.promises.realpath(place)) !== place) return undefined;
    const { size: sizeBytes, mtimeMs, ino } = stats;
    const earlier = known.get(file);
    if (earlier && earlier.sizeBytes === sizeBytes && earlier.mtimeMs === mtimeMs && earlier.ino === ino)
      return earlier;
    const found = { sha256: hashFile(place), sizeBytes, mtimeMs, ino };
    known.set(file, found);
    return found;
  }

  /** Made anew when one of their files has changed. */
  async function findRules(): Promise<SiteRules> {
    const [redirects, headers] = [await find('_redirects'), await find('_headers')];
    const of = `${redirects?.sha256} ${headers?.sha256}`;
    if (rules?.of === of) return rules.made;
    const read = async (file: ServedFile | undefined, name: string): Promise<string> =>
      file ? readStart(path.join(root, name)) : '';
    const made = toRules(await read(redirects, '_redirects'), await read(headers, '_headers'));
    for (const problem of problemsOf(made)) log(problem);
    rules = { made, of };
    return made;
  }

  return createSite({
    tree: { find, fileAt: (file) => path.join(root, file) },
    rules: findRules,
    // A file may change between its hash and its bytes, so nothing is kept.
    small: createBoundedBytes({ eachBytes: 0, allBytes: 0 }),
    isFixed: false,
  });
}
