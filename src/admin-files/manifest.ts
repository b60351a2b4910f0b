// What a build of the admin leaves beside its files.
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isCode } from '../lib/error-code.ts';

export const MANIFEST = 'manifest.json';

const BuiltFile = z.object({ sizeBytes: z.int(), gzipBytes: z.int() });

export const ManifestSchema = z.object({
  /** Names of files, which are served below `/admin/assets/`. */
  script: z.string(),
  style: z.string(),
  /** What runs in previews of the site's theme. */
  preview: z.string(),
  /** The scripts that the first one imports at once. */
  preload: z.array(z.string()),
  /** What each screen needs besides, by its path in the table of screens. */
  screens: z.array(z.object({ path: z.string(), scripts: z.array(z.string()) })),
  files: z.record(z.string(), BuiltFile),
  /** Gzipped bytes that a screen needs, by the name of its budget. */
  budgets: z.record(z.string(), z.int()),
  /** What it was built from, as `hashSources` has it. */
  sources: z.string().default(''),
});

export type AdminManifest = z.output<typeof ManifestSchema>;

/** Returns undefined if the folder has no build. */
export function findBuilt(folder: string): AdminManifest | undefined {
  try {
    return ManifestSchema.parse(JSON.parse(fs.readFileSync(path.join(folder, MANIFEST), 'utf8')));
  } catch (error) {
    if (isCode(error, 'ENOENT', 'ENOTDIR')) return undefined;
    throw error;
  }
}
