// Questions to the index of references: who points to a document, as a reader sees it and as a decision sees it.
import { ServiceError } from '../../lib/errors.ts';
import type { ContentService, Reference, Viewer } from '../api.ts';
import type { StoredDocument } from '../document.ts';
import type { PendingState } from '../pending.ts';
import type { Row } from '../rows/row.ts';
import type { ContentView } from '../rows/view.ts';
import { titleOf, titleOfRow } from '../search-entry.ts';
import { createReferenceIndex, type ReferenceIndex } from './reference-index.ts';

/** Longer lists stay in the order in which the index met them. */
const SORTED = 5000;

export interface References {
  list: ContentService['references'];
  /** Call it before `refuse`. */
  prepare(): Promise<void> | undefined;
  /** @throws ServiceError 409 if another document points to this one. */
  refuse(doc: StoredDocument): void;
}

export function createReferences(
  parts: { view: ContentView; pending: PendingState },
  get: ContentService['get'],
): References {
  const index = createReferenceIndex(parts.view);
  const read = (...found: Parameters<typeof get>) => JSON.parse(String(get(...found).body)) as StoredDocument;
  return {
    prepare: index.prepare,
    refuse: (doc) => refuseReferenced({ ...parts, index }, doc),
    async list(collection, ref, page, viewer) {
      const { id } = read(collection, ref, viewer);
      await index.prepare();
      return listReferences({ view: parts.view, index }, read(collection, { id }, viewer), page, viewer);
    },
  };
}

/** Everybody who points to the document, as far as the viewer sees them. */
function listReferences(
  { view, index }: { view: ContentView; index: ReferenceIndex },
  doc: StoredDocument,
  { limit, offset = 0 }: { limit?: number; offset?: number },
  viewer?: Viewer,
): { references: Reference[]; total: number } {
  const isSeen = (row: Row): boolean =>
    (!viewer?.publishedOnly || row.status === 'published') && (viewer?.mayRead?.(row.collection) ?? true);
  const found: { row: Row; field: string }[] = [];
  for (const [id, fields] of index.pointingTo(index.keysOf(doc))) {
    const row = view.byId(id);
    if (row && isSeen(row)) for (const field of fields) found.push({ row, field });
  }
  if (found.length <= SORTED)
    found.sort((a, b) => compare(placeOf(a.row), placeOf(b.row)) || compare(a.field, b.field));
  const page = found.slice(offset, limit === undefined ? undefined : offset + limit);
  const references = page.map(({ row, field }) => {
    const title = titleOfRow(row, view.collection(row.collection)!.schema);
    return { collection: row.collection, slug: row.slug, title, field };
  });
  return { references, total: found.length };
}

/** @throws ServiceError 409 if a document points to this one, as the last accepted write left them. */
function refuseReferenced(
  { view, index, pending }: { view: ContentView; index: ReferenceIndex; pending: PendingState },
  doc: StoredDocument,
): void {
  const keys = index.keysOf(doc);
  const under = new Map(pending.underWay());
  const found: Reference[] = [];
  for (const [id, fields] of index.pointingTo(keys)) {
    const row = view.byId(id);
    if (!row || id === doc.id || under.has(id)) continue;
    const title = titleOfRow(row, view.collection(row.collection)!.schema);
    for (const field of fields) found.push({ collection: row.collection, slug: row.slug, title, field });
  }
  for (const other of under.values()) {
    if (!other || other.id === doc.id) continue;
    for (const { key, field } of index.pointersOf(other)) {
      const { collection, slug } = other;
      if (keys.includes(key)) found.push({ collection, slug, title: titleOf(other.data, slug), field });
    }
  }
  if (found.length === 0) return;
  const details = found.map(({ collection, slug, title, field }) => ({
    path: `${collection}/${slug}`,
    message: `"${title}" points to it in ${field}`,
  }));
  const many = found.length === 1 ? 'one place points' : `${found.length} places point`;
  throw new ServiceError('conflict', `${many} to ${doc.collection}/${doc.slug}: ${details[0]!.path}`, { details });
}

function placeOf({ collection, slug }: Row): string {
  return `${collection}/${slug}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
