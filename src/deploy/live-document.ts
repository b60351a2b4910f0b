// Whether the newest version of a document is what people see: compares it with the document in the live commit.
import type { ContentService } from '../content/api.ts';
import type { HistoryService } from '../history/service.ts';
import { notFound, ServiceError } from '../lib/errors.ts';
import type { DOCUMENT_STATES } from './input.ts';

/** @throws not_found if there is no such document. */
export type DocumentLive = (
  commit: string | null,
  collection: string,
  slug: string,
) => Promise<(typeof DOCUMENT_STATES)[number]>;

export function createDocumentLive(parts: {
  content: Pick<ContentService, 'find'>;
  history: Pick<HistoryService, 'version'>;
}): DocumentLive {
  return async (commit, collection, slug) => {
    const newest = parts.content.find(collection, { idOrSlug: slug });
    if (!newest) throw notFound(`document "${collection}/${slug}"`);
    if (commit === null) return 'absent';
    const { id } = JSON.parse(newest.body.toString('utf8')) as { id: string };
    const then = await versionIn(commit, collection, id);
    if (!then || statusOf(then) !== 'published') return 'absent';
    // Locks are not in a body: they change no page.
    return then.equals(newest.body) ? 'live' : 'older';
  };

  async function versionIn(commit: string, collection: string, id: string): Promise<Buffer | undefined> {
    try {
      return (await parts.history.version(collection, id, commit)).body;
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'not_found') return undefined;
      throw error;
    }
  }
}

function statusOf(body: Buffer): unknown {
  return (JSON.parse(body.toString('utf8')) as { status?: unknown }).status;
}
