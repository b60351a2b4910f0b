// The files of a theme: those of the site's folder over those of the built-in theme, one by one. Reads all of them once
// at the beginning of a build; a theme is data, and nothing of it runs.
import { hash } from 'node:crypto';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isCode } from '../../lib/error-code.ts';
import { ThemeError } from './theme-error.ts';

export interface ThemeFile {
  /** Path in the theme: `layouts/default.liquid`. */
  path: string;
  /** Absolute path on the disk. */
  source: string;
  bytes: Buffer;
  /** Hex sha256. */
  sha256: string;
}

export interface ThemeFiles {
  files: ReadonlyMap<string, ThemeFile>;
  /** The published paths of `assets/`, with fingerprints, by their names in the theme. */
  assets: ReadonlyMap<string, string>;
}

/** The parts of a theme; anything else in its folder (a README, sources of its styles) is left alone. */
const FOLDERS = ['layouts', 'partials', 'blocks', 'assets', 'static'];
const SETTINGS = 'theme.json';
const MAX_FILES = 2000;
const MAX_FILE_BYTES = 20 * 1024 * 1024;
const MAX_TEMPLATE_BYTES = 512 * 1024;
const FINGERPRINT_LENGTH = 10;

/** @throws ThemeError if a file is too large, or a link leads out of the theme's folder. */
export async function readTheme(builtIn: string, own: string | undefined): Promise<ThemeFiles> {
  const files = new Map<string, ThemeFile>();
  await readFolder(builtIn, files);
  if (own !== undefined) await readFolder(own, files);
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { files: sorted, assets: toAssets(sorted) };
}

async function readFolder(root: string, files: Map<string, ThemeFile>): Promise<void> {
  const real = await realpath(root);
  for (const folder of FOLDERS) await readBelow(real, folder, files);
  await readOne(real, SETTINGS, files);
}

async function readBelow(root: string, folder: string, files: Map<string, ThemeFile>): Promise<void> {
  let entries: string[];
  try {
    entries = await readdir(path.join(root, folder));
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  for (const name of entries.sort()) {
    if (name === '.DS_Store' || (name.startsWith('.') && name !== '.well-known')) continue;
    const file = `${folder}/${name}`;
    if ((await stat(await inside(root, file))).isDirectory()) await readBelow(root, file, files);
    else await readOne(root, file, files);
    if (files.size > MAX_FILES) throw new ThemeError(folder, `the theme has more than ${MAX_FILES} files`);
  }
}

async function readOne(root: string, file: string, files: Map<string, ThemeFile>): Promise<void> {
  let source: string;
  try {
    source = await inside(root, file);
  } catch (error) {
    if (isCode(error, 'ENOENT')) return;
    throw error;
  }
  const { size } = await stat(source);
  const limit = file.endsWith('.liquid') || file === SETTINGS ? MAX_TEMPLATE_BYTES : MAX_FILE_BYTES;
  if (size > limit) throw new ThemeError(file, `the file has ${size} bytes; at most ${limit} are allowed`);
  const bytes = await readFile(source);
  files.set(file, { path: file, source, bytes, sha256: hash('sha256', bytes) });
}

/** The real path of a file; a link may lead to another place in the theme, and nowhere else. */
async function inside(root: string, file: string): Promise<string> {
  const real = await realpath(path.join(root, file));
  if (real !== root && !real.startsWith(root + path.sep))
    throw new ThemeError(file, "the link leads out of the theme's folder; copy the file into the theme");
  return real;
}

function toAssets(files: ReadonlyMap<string, ThemeFile>): Map<string, string> {
  const assets = new Map<string, string>();
  for (const { path: file, sha256 } of files.values()) {
    if (!file.startsWith('assets/')) continue;
    const { dir, name, ext } = path.posix.parse(file);
    assets.set(file.slice('assets/'.length), `${dir}/${name}.${sha256.slice(0, FINGERPRINT_LENGTH)}${ext}`);
  }
  return assets;
}
