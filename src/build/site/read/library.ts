// The media files of a commit, found one by one as pages use them. Bytes are beside the repository, by their hash.
import { existsSync } from 'node:fs';
import { readMediaFile } from '../../../content/from-git/other-files.ts';
import { bytesPath } from '../../../media/bytes/byte-places.ts';
import type { MediaFile } from '../../../media/media.ts';
import { metaPath, pointerPath, type StoredMedia, toMediaFile } from '../../../media/stored.ts';
import type { Oid } from '../../../store/git/objects.ts';
import { createTreeLookup } from '../../../store/git/tree-lookup.ts';
import type { Odb } from '../../../store/repository/odb.ts';

/** A media file whose bytes exist. */
export interface LibraryFile extends MediaFile {
  bytesPath: string;
}

export interface Library {
  /** Undefined if the commit has no such media file, or its bytes are missing. */
  find(slug: string): LibraryFile | undefined;
  /** A text that differs if anything about the file does. */
  stamp(slug: string): string;
}

/** `tree` is the commit's. */
export function createLibrary(odb: Odb, tree: Oid, folder: string): Library {
  const lookup = createTreeLookup((oid) => odb.get(oid, 'tree'));
  const found = new Map<string, { file: LibraryFile | undefined; stamp: string }>();

  function read(path: string): { oid: Oid; media: StoredMedia } | undefined {
    const entry = lookup.find(tree, path);
    const media = entry && readMediaFile(odb, { path, ...entry });
    return typeof media === 'object' ? { oid: entry!.oid, media } : undefined;
  }

  function look(slug: string): { file: LibraryFile | undefined; stamp: string } {
    const known = found.get(slug);
    if (known) return known;
    const pointer = isSafe(slug) ? read(pointerPath(slug)) : undefined;
    const meta = pointer && read(metaPath(slug));
    let file: LibraryFile | undefined;
    if (pointer?.media.kind === 'pointer') {
      const media = toMediaFile(slug, pointer.media.pointer, meta?.media.kind === 'meta' ? meta.media.meta : {});
      const path = bytesPath(folder, media.sha256);
      if (existsSync(path)) file = { ...media, bytesPath: path };
    }
    const result = { file, stamp: file ? `${pointer!.oid} ${meta?.oid ?? ''}` : '' };
    found.set(slug, result);
    return result;
  }

  return { find: (slug) => look(slug).file, stamp: (slug) => look(slug).stamp };
}

/** The name becomes a path of the output. */
function isSafe(slug: string): boolean {
  return (
    slug.length <= 1000 && slug.split('/').every((part) => part !== '' && !part.startsWith('.') && !/[\\\0]/.test(part))
  );
}
