// Questions to the index of references: who points to a document, as a reader sees it and as a decision sees it.
import { MAX_PROBLEMS, type Problem } from '../../lib/errors.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { ContentService, Reference, Viewer } from '../api.ts';
import type { Decision } from '../decide.ts';
import type { ChangedDocument, StoredDocument } from '../document.ts';
import type { PendingState } from '../pending.ts';
import type { Row } from '../rows/row.ts';
import type { ContentView } from '../rows/view.ts';
import { titleOf, titleOfRow } from '../search-entry.ts';
import type { Stamp } from '../stamp.ts';
import type { MediaMove } from './move-pointers.ts';
import { publicationWarnings, type SeenState } from './publication-warnings.ts';
import { createReferenceIndex, type ReferenceIndex } from './reference-index.ts';
import { StillReferenced } from './referenced.ts';
import { followMedia, type UpdateReferencesParts, withReferences } from './update-references.ts';

/** Longer lists stay in the order in which the index met them. */
const SORTED = 5000;
/** A page without `limit`. */
export const REFERENCES_LIMIT = 1000;
/** Rows, and titles that may have to be read from a body, between two looks at the clock. */
const STEP = 256;
const TITLES = 16;

export interface References {
  list: ContentService['references'];
  listTo: ContentService['referencesTo'];
  /** Call it before `refuse`. */
  prepare(): Promise<void> | undefined;
  /** @throws StillReferenced 409 if another document points to this one; `state` as the last accepted write left it. */
  refuse(doc: StoredDocument, state?: Pick<PendingState, 'underWay'>): void;
  /** The decision of a rename with all documents that point to the renamed one. Call `prepare` before. */
  follow(decision: Decision, stamp: Stamp, state: FollowState): Decision;
  /** All documents that point to a media file, as its move leaves them. Call `prepare` before. */
  followMedia(move: MediaMove, stamp: Stamp, state: FollowState): ChangedDocument[];
  /** What a change makes public that points to nothing public. */
  warningsOf: WarningsOf;
}

/** What is wrong with a document that a change may leave so. */
export type WarningsOf = (event: Parameters<typeof publicationWarnings>[2], state?: SeenState) => Problem[];

type FollowState = Omit<UpdateReferencesParts, 'index' | 'view'>;

export function createReferences(
  parts: { view: ContentView; pending: PendingState },
  get: ContentService['get'],
): References {
  const index = createReferenceIndex(parts.view);
  const read = (...found: Parameters<typeof get>) => JSON.parse(String(get(...found).body)) as StoredDocument;
  return {
    prepare: index.prepare,
    refuse: (doc, state = parts.pending) => refuseReferenced({ view: parts.view, index, state }, doc),
    follow: (decision, stamp, state) => withReferences({ ...state, index, view: parts.view }, decision, stamp),
    followMedia: (move, stamp, state) => followMedia({ ...state, index, view: parts.view }, move, stamp),
    warningsOf: (event, state = parts.pending) => publicationWarnings(index, state, event),
    async list(collection, ref, page, viewer) {
      const { id } = read(collection, ref, viewer);
      await index.prepare();
      const keys = index.keysOf(read(collection, { id }, viewer));
      return listReferences({ view: parts.view, index }, keys, page, viewer);
    },
    async listTo(keys, page, viewer) {
      await index.prepare();
      return listReferences({ view: parts.view, index }, keys, page, viewer);
    },
  };
}

/** Everybody who points to one of the keys, as far as the viewer sees them; in slices, because they may be very many. */
async function listReferences(
  { view, index }: { view: ContentView; index: ReferenceIndex },
  keys: readonly string[],
  { limit = REFERENCES_LIMIT, offset = 0 }: { limit?: number; offset?: number },
  viewer?: Viewer,
): Promise<{ references: Reference[]; total: number }> {
  const isSeen = (row: Row): boolean =>
    (!viewer?.publishedOnly || row.status === 'published') && (viewer?.mayRead?.(row.collection) ?? true);
  const end = offset + limit;
  const found: { row: Row; field: string }[] = [];
  const breathe = createBreathe();
  let total = 0;
  let steps = 0;
  for (const [id, fields] of index.pointingTo(keys)) {
    const row = view.byId(id);
    if (row && isSeen(row)) {
      for (const field of fields) if (total++ < Math.max(SORTED, end)) found.push({ row, field });
    }
    if (++steps % STEP === 0) await breathe();
  }
  if (total <= SORTED) found.sort((a, b) => compare(placeOf(a.row), placeOf(b.row)) || compare(a.field, b.field));
  const references: Reference[] = [];
  for (const { row, field } of found.slice(offset, end)) {
    references.push(toReference(view, row, field));
    if (references.length % TITLES === 0) await breathe();
  }
  return { references, total };
}

function toReference(view: ContentView, row: Row, field: string): Reference {
  const title = titleOfRow(row, view.collection(row.collection)!.schema);
  return { collection: row.collection, slug: row.slug, title, field };
}

/** @throws StillReferenced */
function refuseReferenced(
  { view, index, state }: { view: ContentView; index: ReferenceIndex; state: Pick<PendingState, 'underWay'> },
  doc: StoredDocument,
): void {
  const keys = index.keysOf(doc);
  const under = new Map(state.underWay());
  const found: Reference[] = [];
  let count = 0;
  for (const [id, fields] of index.pointingTo(keys)) {
    const row = id === doc.id || under.has(id) ? undefined : view.byId(id);
    if (!row) continue;
    for (const field of fields) if (count++ < MAX_PROBLEMS) found.push(toReference(view, row, field));
  }
  for (const other of under.values()) {
    if (!other || other.id === doc.id) continue;
    for (const { key, field } of index.pointersOf(other)) {
      if (!keys.includes(key) || count++ >= MAX_PROBLEMS) continue;
      const { collection, slug } = other;
      found.push({
        collection,
        slug,
        title: titleOf(other.data, slug, view.collection(collection)?.schema.config.ui?.titleField),
        field,
      });
    }
  }
  if (count === 0) return;
  throw new StillReferenced(`${doc.collection}/${doc.slug}`, found, count);
}

function placeOf({ collection, slug }: Row): string {
  return `${collection}/${slug}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
