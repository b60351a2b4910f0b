// Media in the text index: under keys that no document has, and in the form of a document's body, so that one reader
// serves both.
import type { Described } from '../search/service.ts';
import type { MediaFile } from './media.ts';
import { isMediaPath, pointerPath } from './stored.ts';

export function toSearchKey({ slug }: Pick<MediaFile, 'slug'>): string {
  return pointerPath(slug);
}

/** The slug behind a key; undefined for a document's. */
export function slugOfKey(key: string): string | undefined {
  return isMediaPath(key) ? key.slice('media/'.length) : undefined;
}

export function toSearchBody({ slug, name, folder, alt, tags, createdAt }: MediaFile): Buffer {
  const updatedAt = createdAt ?? new Date(0).toISOString();
  const data = { title: name, folder, alt, tags };
  return Buffer.from(JSON.stringify({ collection: 'media', status: 'published', slug, updatedAt, data }), 'utf8');
}

export function toDescribed({ slug, name }: MediaFile): Described {
  return { collection: 'media', collectionLabel: 'Media', slug, title: name, status: 'published' };
}
