// The drafts that a person wrote in last, by the feed of changes.
import type { Client } from '../../api/client.ts';
import { type CollectionInfo, titleOf } from '../../config/manifest.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import type { RecentChange } from './event-text.ts';

export interface OwnWork {
  collection: string;
  slug: string;
  title: string;
  /** When they wrote in it last. */
  at: string;
}

export interface OwnWorkParts {
  /** The newest first. */
  changes: readonly RecentChange[];
  /** The id of the person. */
  own: string;
  collections: readonly CollectionInfo[];
  request: Client;
  signal: AbortSignal;
}

/** One request for each collection that they wrote in. */
export async function toOwnWork({ changes, own, collections, request, signal }: OwnWorkParts): Promise<OwnWork[]> {
  const mine = changes.filter(({ author }) => author?.id === own);
  const found = await Promise.all(
    collections.map(async (collection) => {
      const last = new Map<string, string>();
      for (const { id, at, collection: name } of mine) {
        if (name === collection.name && !last.has(id)) last.set(id, at);
      }
      if (last.size === 0) return [];
      const query = new URLSearchParams({
        'filter[id][in]': [...last.keys()].join(','),
        status: 'draft',
        limit: '100',
      });
      const url = `/api/cms/${encodeURIComponent(collection.name)}?${query}`;
      const { data } = await request<{ documents: readonly StoredDocument[] }>('GET', url, { signal });
      return data.documents.map((one) => ({
        ...{ collection: collection.name, slug: one.slug, title: titleOf(one.data, one.slug, collection) },
        at: last.get(one.id) ?? one.updatedAt,
      }));
    }),
  );
  return found.flat().sort((a, b) => (a.at < b.at ? 1 : -1));
}
