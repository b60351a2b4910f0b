// Media in the text index: under keys that no document has, and in the form of a document's body, so that both share
// one reader.
import type { SearchSource } from '../search/sources.ts';
import type { MediaFile } from './media.ts';
import { isMediaPath, pointerPath } from './stored.ts';
import type { MediaView } from './view.ts';

/** The `collection` of media in results and filters. */
export const MEDIA_COLLECTION = 'media';

export function createMediaSource(view: MediaView): SearchSource {
  const find = (key: string): MediaFile | undefined => view.find(key.slice('media/'.length));
  return {
    owns: isMediaPath,
    read(key) {
      const file = find(key);
      return file && toSearchBody(file);
    },
    *keys() {
      for (const file of view.values()) yield toSearchKey(file);
    },
    size: () => view.size,
    describe(key) {
      const file = find(key);
      if (!file) return undefined;
      const { slug, name } = file;
      return { collection: MEDIA_COLLECTION, collectionLabel: 'Media', slug, title: name, status: 'published' };
    },
  };
}

export function toSearchKey({ slug }: Pick<MediaFile, 'slug'>): string {
  return pointerPath(slug);
}

function toSearchBody({ slug, name, folder, alt, tags, createdAt }: MediaFile): Buffer {
  const updatedAt = createdAt ?? new Date(0).toISOString();
  const data = { title: name, folder, alt, tags };
  return Buffer.from(
    JSON.stringify({ collection: MEDIA_COLLECTION, status: 'published', slug, updatedAt, data }),
    'utf8',
  );
}
