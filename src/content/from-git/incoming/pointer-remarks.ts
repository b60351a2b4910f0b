// What pushed documents make public that points to nothing public, in the sentences of the API's warnings.

import type { Oid } from '../../../store/git/objects.ts';
import type { Incoming } from '../../../store/intake/intake.ts';
import { changedFields } from '../../differences.ts';
import type { StoredDocument } from '../../document.ts';
import { pathsOf } from '../../files/paths.ts';
import { publicationWarnings } from '../../relations/publication-warnings.ts';
import { createReferenceIndex } from '../../relations/reference-index.ts';
import { toStored } from '../../rows/row.ts';
import type { ContentView } from '../../rows/view.ts';
import type { PushedVersion } from './slips.ts';

export interface PointerRemarks {
  /** Call it for each version, oldest first. */
  look(version: PushedVersion): void;
  /** `find` returns the file at a path of the newest commit. Yields undefined if the caller may do other work. */
  list(find: (path: string) => Oid | undefined): Generator<Incoming | undefined>;
}

export function createPointerRemarks(
  view: ContentView,
  documentAt: (path: string, oid: Oid) => StoredDocument | undefined,
): PointerRemarks {
  const index = createReferenceIndex(view);
  /** The newest commit of each file that may have something to say. */
  const pushed = new Map<string, Oid>();
  return {
    look({ commit, path, doc }) {
      if (doc.status === 'published' && index.pointersOf(doc).length > 0) pushed.set(path, commit);
      else pushed.delete(path);
    },
    *list(find) {
      const findBySlug = (collection: string, slug: string): { doc: StoredDocument; etag: string } | undefined => {
        const path = pathsOf({ collection, slug }).find((one) => find(one) !== undefined);
        const etag = path === undefined ? undefined : find(path);
        if (path === undefined || etag === undefined) return undefined;
        const row = view.bySlug(collection, slug);
        const doc = row?.etag === etag ? toStored(row) : documentAt(path, etag);
        return doc && { doc, etag };
      };
      const state = { findBySlug, statusOf: (...at: [string, string]) => findBySlug(...at)?.doc.status };
      for (const [path, commit] of pushed) {
        yield undefined;
        const oid = find(path);
        const after = oid && documentAt(path, oid);
        if (!after) continue;
        // The id of a file that a person wrote is not known before the push is accepted.
        const row = view.byId(after.id) ?? view.bySlug(after.collection, after.slug);
        const before = row && toStored(row);
        const fields = changedFields(before?.data ?? {}, after.data);
        for (const one of publicationWarnings(index, state, { before, after, fields })) {
          yield { commit, path, message: `${one.path} ${one.message}` };
        }
      }
    },
  };
}
