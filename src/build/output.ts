// Lists the files of a built site that a command left, with their hashes. Refuses what cannot be published, and whatever
// would publish a file of this machine: links that lead out of the folder.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isCode } from '../lib/error-code.ts';
import { BuildError, type SiteFile } from './build.ts';

export interface OutputLimits {
  files: number;
  bytes: number;
}

/** No host takes more. */
export const OUTPUT_LIMITS: OutputLimits = { files: 100_000, bytes: 20 * 2 ** 30 };

const PATH_BYTES = 1024;
const NAME_BYTES = 255;
const CHUNK_BYTES = 1 << 20;
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** Repositories inside of the output: never part of a site. */
const LEFT_OUT = new Set(['.git']);

/**
 * Returns the real path of `outDir` below `tree`. @throws BuildError if it is missing, not a folder, or a link that leads
 * out.
 */
export function findOutput(tree: string, outDir: string): string {
  const root = fs.realpathSync(tree);
  const found = realOf(path.resolve(root, outDir));
  if (found === undefined)
    throw new BuildError(`the build made no folder "${outDir}"; \`outDir\` names the one that it makes`);
  if (!isIn(root, found)) throw new BuildError(`"${outDir}" is a link that leads out of the build`);
  if (!fs.statSync(found).isDirectory()) throw new BuildError(`"${outDir}" is a file; \`outDir\` must name a folder`);
  return found;
}

/** Sorted by path. Links to files and folders of the output count as what they lead to. @throws BuildError */
export function listOutput(folder: string, limits: OutputLimits = OUTPUT_LIMITS): SiteFile[] {
  const root = fs.realpathSync(folder);
  const files: SiteFile[] = [];
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  walk(root, '', [root]);
  if (files.length === 0) throw new BuildError('the build made no files');
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));

  /** `above`: the real folders on the way, so that a link to one of them ends the walk. */
  function walk(real: string, prefix: string, above: readonly string[]): void {
    for (const raw of fs.readdirSync(real, { encoding: 'buffer' })) {
      const name = toName(raw, prefix);
      if (LEFT_OUT.has(name)) continue;
      const file = prefix + name;
      if (Buffer.byteLength(file) > PATH_BYTES)
        throw new BuildError(`path "${file.slice(0, 100)}..." is too long to publish`);
      const target = resolve(path.join(real, name), file);
      const about = fs.lstatSync(target);
      if (about.isDirectory()) {
        if (above.includes(target)) throw new BuildError(`"${file}" is a link to a folder that it is in`);
        walk(target, `${file}/`, [...above, target]);
      } else if (about.isFile()) add(file, target);
      else throw new BuildError(`"${file}" is neither a file nor a folder`);
    }
  }

  function resolve(target: string, file: string): string {
    if (!fs.lstatSync(target).isSymbolicLink()) return target;
    const found = realOf(target);
    if (found === undefined) throw new BuildError(`"${file}" is a link to nothing`);
    if (!isIn(root, found)) throw new BuildError(`"${file}" is a link that leads out of the output`);
    return found;
  }

  function add(file: string, target: string): void {
    // Before it is read: a file without content of its own may say that it has terabytes.
    if (bytes + fs.lstatSync(target).size > limits.bytes)
      throw new BuildError(`the build made more than ${limits.bytes} bytes`);
    const { sizeBytes, sha256 } = hashFile(target, buffer);
    bytes += sizeBytes;
    files.push({ path: file, sizeBytes, sha256 });
    if (files.length > limits.files) throw new BuildError(`the build made more than ${limits.files} files`);
  }
}

function toName(raw: Buffer, prefix: string): string {
  let name: string;
  try {
    name = UTF_8.decode(raw);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new BuildError(`the name of a file in "${prefix}" is not valid UTF-8: ${raw.toString('utf8')}`);
  }
  if (/[\\\p{Cc}]/u.test(name))
    throw new BuildError(`a file in "${prefix}" cannot be published under its name ${JSON.stringify(name)}`);
  if (raw.length > NAME_BYTES) throw new BuildError(`the name of a file in "${prefix}" is too long to publish`);
  return name;
}

/** Counts the bytes that are read now: a file that grows meanwhile has the size that was hashed. */
function hashFile(file: string, buffer: Buffer): { sizeBytes: number; sha256: string } {
  const handle = fs.openSync(file, 'r');
  try {
    const whole = createHash('sha256');
    let sizeBytes = 0;
    for (let got = fs.readSync(handle, buffer); got > 0; got = fs.readSync(handle, buffer)) {
      whole.update(buffer.subarray(0, got));
      sizeBytes += got;
    }
    return { sizeBytes, sha256: whole.digest('hex') };
  } finally {
    fs.closeSync(handle);
  }
}

/** Undefined if there is nothing there. */
function realOf(file: string): string | undefined {
  try {
    return fs.realpathSync(file);
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR', 'ELOOP')) return undefined;
    throw error;
  }
}

function isIn(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
