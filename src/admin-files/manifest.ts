// What a build of the admin leaves beside its files.
import { z } from 'zod';

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
});

export type AdminManifest = z.output<typeof ManifestSchema>;
