// Reads the files in `media/` beside a configuration: they are part of the first commit of an empty site, so that the
// images of its documents are served. Leaves out a file that an upload would rename, because documents use its own
// name.
import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { LOCK_FILE } from '../../lib/lock-file.ts';
import type { FileChange } from '../../store/log/tree-set.ts';
import { hashOf } from '../bytes/open-byte-files.ts';
import type { Inspected } from '../kinds/detect.ts';
import { folderProblem, toName } from '../names.ts';
import { splitSlug, toFiles } from '../stored.ts';

export interface MediaStarter {
  files: FileChange[];
  /** Which files were left out, and why. */
  problems: string[];
}

export interface MediaStarterParts {
  inspect(file: string, declaredName: string): Promise<Inspected | undefined>;
  restoreBytes(sha256: string, source: AsyncIterable<Buffer>): Promise<void>;
  now: Date;
}

/** Once this resolves the bytes are stored; `files` are for the commit. */
export async function readMediaStarter(folder: string, parts: MediaStarterParts): Promise<MediaStarter> {
  const files: FileChange[] = [];
  const problems: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((error) => {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'EACCES', 'EPERM')) return [];
    throw error;
  });
  const dataFolders = entries.flatMap(({ name, parentPath }) =>
    name === LOCK_FILE ? [`${parentPath}${path.sep}`] : [],
  );
  const isData = (parentPath: string): boolean =>
    dataFolders.some((dataFolder) => `${parentPath}${path.sep}`.startsWith(dataFolder));
  const slugs = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !isData(entry.parentPath))
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)).split(path.sep).join('/'))
    .sort();
  for (const slug of slugs) {
    const problem = await plant(slug);
    if (problem) problems.push(`starter content: media/${slug} is left out: ${problem}`);
  }
  return { files, problems };

  async function plant(slug: string): Promise<string | undefined> {
    const file = path.join(folder, slug);
    const { folder: place, name } = splitSlug(slug);
    const problem = folderProblem(place);
    if (problem) return `its folder ${problem}`;
    const found = await parts.inspect(file, name);
    if (!found) return 'files of its type are not accepted';
    const wanted = toName(name, found.extension);
    if (wanted !== name) return `rename it to "${wanted}"`;
    const sha256 = await hashOf(file);
    await parts.restoreBytes(sha256, createReadStream(file));
    const { size: sizeBytes } = await stat(file);
    const { type, width, height } = found;
    const contentType = found.contentType.split(';')[0];
    const meta = { alt: '', tags: [], createdAt: parts.now.toISOString(), contentType, width, height };
    files.push(...toFiles({ slug, folder: place, name, sha256, sizeBytes, type, ...meta }));
    return undefined;
  }
}
