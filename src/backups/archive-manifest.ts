// The manifest of an archive, its first file. Unpacking trusts only the manifest, and only as far as it can check it.
import { z } from 'zod';
import { COMMIT_ID, SHA256, SNAPSHOT_ID } from './snapshot.ts';

export const MANIFEST_NAME = 'manifest.json';
export const DATA_NAME = 'data.tar.gz';
export const ARCHIVE_FORMAT = 1;

/** The id becomes the name of a folder. */
export const SITE_ID = /^[a-z0-9][a-z0-9-]{0,63}$/;
const Count = z.int().min(0);

export const ArchivePart = z.object({ path: z.string(), sizeBytes: Count, sha256: z.string().regex(SHA256) });
export type ArchivePart = z.output<typeof ArchivePart>;

export const ArchiveManifest = z.object({
  format: z.literal(ARCHIVE_FORMAT),
  /** Version of the service that made it. */
  version: z.string().max(100),
  site: z.string().regex(SITE_ID),
  snapshot: z.string().regex(SNAPSHOT_ID),
  createdAt: z.iso.datetime(),
  /** The branch `main` of `content.git`; it determines every document, every media pointer and the whole history. */
  commit: z.string().regex(COMMIT_ID),
  tree: z.string().regex(COMMIT_ID),
  /** `refs/notes/colophon`, who pushed which commit. Null if there were no pushes; absent in older archives. */
  notes: z.string().regex(COMMIT_ID).nullish(),
  documents: Count,
  collections: Count,
  mediaFiles: Count,
  /** Number and size of the files in `data.tar.gz`. */
  data: z.object({ files: Count, sizeBytes: Count }),
  /** Media that were missing or did not match their sha256 when the archive was made. */
  damagedMedia: z.array(z.string()),
  /** Every other file of the archive, in order. */
  parts: z.array(ArchivePart),
});
export type ArchiveManifest = z.output<typeof ArchiveManifest>;

/** Returns a part's path in the site's folder, null if the part is not written, or undefined if it is not allowed. */
export function pathBelowSite(part: ArchivePart): string | null | undefined {
  const { path } = part;
  if (path === DATA_NAME || LOOSE.test(path) || PACK.test(path)) return path;
  const media = MEDIA.exec(path)?.[1];
  if (media !== undefined) return media === part.sha256 ? path : undefined;
  // The service writes these itself: a configuration from the archive could name programs to run.
  return OF_GIT.has(path) ? null : undefined;
}

const OF_GIT: ReadonlySet<string> = new Set(['HEAD', 'config', 'refs/heads/main'].map(inRepository));
const PACK = /^content\.git\/objects\/pack\/pack-[0-9a-f]{40}\.(?:pack|idx)$/;
const LOOSE = /^content\.git\/objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/;
const MEDIA = /^media\/[0-9a-f]{2}\/[0-9a-f]{2}\/([0-9a-f]{64})$/;

export function inRepository(file: string): string {
  return `content.git/${file}`;
}
