// The hashes of a committed deploy's files, kept beside it so that nothing is hashed again. Disposable: without it the
// next start hashes the deploy.
import fs from 'node:fs';
import { isCode } from '../../lib/error-code.ts';
import { replaceFile } from './durable.ts';
import type { TreeFile, TreeFiles } from './tree.ts';

type ManifestLine = [path: string, sha256: string, sizeBytes: number, mtimeMs: number, ino: number];

export function writeManifest(file: string, files: TreeFiles): Promise<void> {
  const lines = Array.from(files, ([path, { sha256, sizeBytes, mtimeMs, ino }]): string =>
    JSON.stringify([path, sha256, sizeBytes, mtimeMs, ino] satisfies ManifestLine),
  );
  return replaceFile(file, `[\n${lines.join(',\n')}\n]\n`);
}

/** Empty if there is no manifest, or one that cannot be read. */
export function readManifest(file: string): TreeFiles {
  try {
    const lines = JSON.parse(fs.readFileSync(file, 'utf8')) as ManifestLine[];
    return new Map(
      lines.map(([path, sha256, sizeBytes, mtimeMs, ino]): [string, TreeFile] => [
        path,
        { sha256, sizeBytes, mtimeMs, ino },
      ]),
    );
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError || isCode(error, 'ENOENT')) return new Map();
    throw error;
  }
}
