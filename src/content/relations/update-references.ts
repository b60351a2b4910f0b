// A rename of a document, or a move of a media file, that takes everybody along who points there: their relations and
// links name the new place, in the same commit. Pure, on the documents as the last accepted write left them; all of
// them change, or none.
import { ServiceError } from '../../lib/errors.ts';
import type { CollectionState } from '../collection-state.ts';
import { type Decision, fieldsLocked } from '../decide.ts';
import type { ChangedDocument, Data, StoredDocument } from '../document.ts';
import { refusePublic } from '../lists/drafts-only.ts';
import type { PendingState } from '../pending.ts';
import { lockedFields } from '../provenance.ts';
import { AT_ONCE } from '../refusals.ts';
import { toStored } from '../rows/row.ts';
import type { ContentView } from '../rows/view.ts';
import { laterThan, type Stamp } from '../stamp.ts';
import { inOrder } from '../stored.ts';
import { sharedConflict } from '../unique/unique-values.ts';
import type { DocumentMove, MediaMove, Move } from './move-pointers.ts';
import type { ReferenceIndex } from './reference-index.ts';

/** One commit is made in one turn, while everybody waits. */
const MAX_REFERRERS = 2000;
const MAX_BYTES = 8 << 20;

export interface UpdateReferencesParts {
  index: ReferenceIndex;
  view: Pick<ContentView, 'byId'>;
  pending: Pick<PendingState, 'underWay'>;
  stateOf(collection: string): CollectionState;
}

/**
 * The decision of a rename with the documents that point to the renamed one. They keep their provenance: nobody edited
 * their texts. The index must be built.
 * @throws ServiceError 403 or 409 if the actor may not change one of them, 413 if they are too many.
 */
export function withReferences(parts: UpdateReferencesParts, decision: Decision, stamp: Stamp): Decision {
  const { index } = parts;
  const { before, after } = decision;
  if (!before || before.slug === after.slug) return decision;
  const [, oldAddress] = index.keysOf(before);
  const [, newAddress] = index.keysOf(after);
  const isMoved = oldAddress !== undefined && newAddress !== undefined;
  const move: DocumentMove = {
    collection: before.collection,
    from: before.slug,
    to: after.slug,
    address: isMoved ? { from: oldAddress, to: newAddress } : undefined,
  };

  const own = index.moved(after, move);
  const ownFields = changedFields(after.data, own);
  refuseLocked(before, ownFields, stamp);
  const also = moveReferrers(parts, { move, keys: index.keysOf(before), id: before.id, known: decision.also }, stamp);
  return {
    ...decision,
    after: own === after.data ? after : { ...after, data: own },
    fields: [...new Set([...decision.fields, ...ownFields])],
    ...(also.length > 0 ? { also } : {}),
  };
}

/** The documents that point to a media file, as its move leaves them. The index must be built. @throws as above. */
export function followMedia(parts: UpdateReferencesParts, move: MediaMove, stamp: Stamp): ChangedDocument[] {
  return moveReferrers(parts, { move, keys: move.keys }, stamp);
}

interface MoveFollowed {
  move: Move;
  /** By which documents point to what moves. */
  keys: readonly string[];
  /** The document that moves, if it is one. */
  id?: string;
  /** Documents that change anyway. */
  known?: readonly ChangedDocument[] | undefined;
}

/** All documents that change along, the known ones first. */
function moveReferrers(
  parts: UpdateReferencesParts,
  { move, keys, id, known = [] }: MoveFollowed,
  stamp: Stamp,
): ChangedDocument[] {
  const others = new Map(known.map((one) => [one.after.id, one]));
  const referrers = findReferrers(parts, id, keys);
  if (referrers.length > MAX_REFERRERS) throw tooMany(`${referrers.length} documents point to it`);
  let bytes = 0;
  for (const { doc, sizeBytes } of referrers) {
    const other = others.get(doc.id);
    const now = other?.after ?? doc;
    const data = parts.index.moved(now, move);
    if (data === now.data) continue;
    bytes += sizeBytes;
    if (bytes > MAX_BYTES) throw tooMany('the documents that point to it are too large together');
    const old = other?.before ?? doc;
    refuseLocked(old, changedFields(now.data, data), stamp);
    const { schema } = parts.stateOf(doc.collection);
    const changed = inOrder({ ...now, data, updatedAt: laterThan(doc.updatedAt, stamp.now) }, schema);
    refusePublic(stamp.actor, old, changed);
    others.set(doc.id, { before: old, after: changed });
  }
  const all = [...others.values()];
  for (const one of all)
    AT_ONCE.conflict(sharedConflict(parts.stateOf(one.after.collection), one.before, one.after, all));
  return all;
}

interface Referrer {
  doc: StoredDocument;
  sizeBytes: number;
}

/** The others that have one of the keys, as the last accepted write left them. */
function findReferrers(
  { index, view, pending }: UpdateReferencesParts,
  targetId: string | undefined,
  keys: readonly string[],
): Referrer[] {
  const found: Referrer[] = [];
  const under = new Map(pending.underWay());
  for (const [id] of index.pointingTo(keys)) {
    const row = id === targetId || under.has(id) ? undefined : view.byId(id);
    if (!row) continue;
    // Parsed documents of a rename that is refused anyway take memory for nothing.
    if (found.length > MAX_REFERRERS) throw tooMany(`more than ${MAX_REFERRERS} documents point to it`);
    found.push({ doc: toStored(row), sizeBytes: row.body.length });
  }
  for (const doc of under.values()) {
    if (!doc || doc.id === targetId || !index.pointersOf(doc).some(({ key }) => keys.includes(key))) continue;
    found.push({ doc, sizeBytes: Buffer.byteLength(JSON.stringify(doc)) });
  }
  return found;
}

function changedFields(before: Data, after: Data): string[] {
  return before === after ? [] : Object.keys(after).filter((key) => after[key] !== before[key]);
}

function refuseLocked(doc: StoredDocument, fields: readonly string[], { actor }: Stamp): void {
  const locked = lockedFields(doc, fields, actor);
  if (locked.length > 0) throw fieldsLocked(`${doc.collection}/${doc.slug} points there in locked fields`, locked);
}

function tooMany(what: string): ServiceError {
  return new ServiceError(
    'too_large',
    `${what}: send it without updateReferences, and change them in several requests (at most ${MAX_REFERRERS} at once)`,
  );
}
