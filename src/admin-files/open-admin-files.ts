// The built files of the admin: from the package, or built once where npm's scripts did not run. A start never builds:
// the first request does, in a process of its own.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isCode } from '../lib/error-code.ts';
import { type AdminManifest, findBuilt } from './manifest.ts';
import { hashSources } from './sources.ts';

export interface AdminFiles {
  /** Undefined while the files are being made. @throws Error if they cannot be made; the next call tries again. */
  manifest(): AdminManifest | undefined;
  /** The bytes of a file of the manifest in the first of the encodings that it has. */
  read(name: string, encodings: readonly Encoding[]): Promise<{ bytes: Buffer; encoding: Encoding }>;
  /** What runs in previews of the site's theme; undefined while it is being made, or cannot be. */
  previewScript(): Promise<string | undefined>;
}

export type Encoding = 'br' | 'gzip' | 'identity';

export interface AdminFilesParts {
  /** Where npm's scripts leave them. */
  builtFolder: string;
  /** The browser program; the published package has none. */
  sourceFolder: string;
  /** Files that are built here are kept below it, by the hash of their sources. */
  cacheFolder: string;
  /** `PATH` of the process that builds. */
  searchPath: string | undefined;
  logger: { info(message: string): void; error(details: object, message: string): void };
}

const EXTENSIONS: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' };
const BUILD_LIMIT_MS = 120_000;
const run = promisify(execFile);

export function openAdminFiles(parts: AdminFilesParts): AdminFiles {
  const { builtFolder, sourceFolder, cacheFolder, searchPath, logger } = parts;
  let open: { folder: string; manifest: AdminManifest } | undefined;
  let making: Promise<void> | undefined;
  let failure: { message: string } | undefined;

  function tryOpen(folder: string): AdminManifest | undefined {
    const manifest = findBuilt(folder);
    if (manifest) open = { folder, manifest };
    return manifest;
  }

  async function make(folder: string): Promise<void> {
    logger.info('building the admin, because npm has not: its scripts are switched off here');
    try {
      const program = path.join(import.meta.dirname, `build-main${path.extname(import.meta.filename)}`);
      const env = searchPath === undefined ? {} : { PATH: searchPath };
      await run(process.execPath, [program, sourceFolder, folder], { env, timeout: BUILD_LIMIT_MS });
      if (!tryOpen(folder)) throw new Error(`the build left nothing in ${folder}`);
    } catch (error) {
      const { stderr = '', message } = error as Error & { stderr?: string };
      failure = { message: stderr.trim() || message };
      logger.error({ err: error }, 'the admin cannot be built');
    }
  }

  const files: AdminFiles = {
    manifest() {
      const known = open?.manifest ?? tryOpen(builtFolder);
      if (known) return known;
      if (failure) {
        const { message } = failure;
        failure = undefined;
        throw new Error(message);
      }
      if (making) return undefined;
      if (!fs.existsSync(sourceFolder)) throw new Error(`the package has no admin: ${builtFolder} is missing`);
      const folder = path.join(cacheFolder, hashSources(sourceFolder));
      const cached = tryOpen(folder);
      if (cached) return cached;
      making = make(folder).finally(() => (making = undefined));
      return undefined;
    },
    async read(name, encodings) {
      const { folder } = open!;
      for (const encoding of encodings) {
        try {
          return { bytes: await fs.promises.readFile(path.join(folder, name + EXTENSIONS[encoding])), encoding };
        } catch (error) {
          if (!isCode(error, 'ENOENT') || encoding === 'identity') throw error;
        }
      }
      throw new Error(`no encoding of "${name}" was asked for`);
    },
    async previewScript() {
      try {
        const manifest = files.manifest();
        return manifest && (await files.read(manifest.preview, ['identity'])).bytes.toString('utf8');
      } catch (error) {
        logger.error({ err: error }, 'previews show changes after a reload only');
        return undefined;
      }
    },
  };
  return files;
}
