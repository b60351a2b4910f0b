// Field locks and AI provenance (decisions.md, section 4): who may write a field, what a write leaves in `_fieldMeta`,
// and the lock operations themselves. Pure. An AI can never change a locked field: every write, from any interface,
// passes here.
import type { Actor } from '../access/principal.ts';
import { isEqual } from '../lib/equal.ts';
import { forbidden, invalid, notFound } from '../lib/errors.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import type { DocumentEvent, DocumentFieldMeta, FieldMeta, StoredDocument } from './document.ts';
import type { Stamp } from './stamp.ts';
import { inOrder } from './stored.ts';

/** The supplied fields that this actor may not write. */
export function lockedFields(before: StoredDocument, fields: readonly string[], actor: Actor): string[] {
  if (actor.kind !== 'ai') return [];
  return fields.filter(
    (field) => metaOfField(before, field)?.lockedBy !== undefined && !actor.personFields?.includes(field),
  );
}

/** The document in file order, with the field metadata as this write leaves it. */
export function afterWrite(
  schema: CollectionSchema,
  before: StoredDocument | undefined,
  draft: StoredDocument,
  written: readonly string[],
  stamp: Stamp,
  removed: readonly string[] = [],
): StoredDocument {
  const at = stamp.now.toISOString();
  let meta: DocumentFieldMeta | undefined;
  const change = (field: string, entry: FieldMeta): void => {
    meta ??= { ...before?._fieldMeta };
    meta[field] = entry;
  };
  for (const field of written) {
    const known = before ? metaOfField(before, field) : undefined;
    const { userId, aiModel, personFields } = stamp.actor;
    const kind = stamp.actor.kind === 'ai' && personFields?.includes(field) ? 'user' : stamp.actor.kind;
    if (kind === 'ai') {
      const { aiModel: _, ...rest } = known ?? {};
      change(field, { ...rest, aiGenerated: true, aiGeneratedAt: at, ...(aiModel ? { aiModel } : {}) });
      continue;
    }
    const isEdit = known?.aiGenerated === true && isChanged(before, draft, field);
    const entry = isEdit ? { ...known, aiGenerated: false } : known;
    const mayLock = isLockable(schema, field) && !known?.lockedBy;
    const autoLock = schema.fields.get(field)?.aiLock?.autoLockOnEdit !== false;
    if (kind === 'import' && mayLock) change(field, withLock(entry ?? {}, 'import', at, userId));
    else if (kind === 'user' && isEdit && mayLock && autoLock)
      change(field, withLock(entry ?? {}, 'user', at, userId, 'user-edit'));
    else if (entry && isEdit) change(field, entry);
  }
  // What is known of a value goes with the value.
  for (const field of removed) {
    if (before && metaOfField(before, field)) delete (meta ??= { ...before._fieldMeta })[field];
  }
  return inOrder(meta ? { ...draft, _fieldMeta: meta } : draft, schema);
}

/**
 * The document as a restoration leaves it: values come back with their provenance, locks stay as they are. `now` is the
 * present document (the last version of a deleted one), `then` the version that is restored.
 */
export function afterRestore(
  schema: CollectionSchema,
  now: StoredDocument,
  then: StoredDocument,
  draft: StoredDocument,
): StoredDocument {
  const meta: DocumentFieldMeta = {};
  for (const field of new Set([...Object.keys(now._fieldMeta ?? {}), ...Object.keys(then._fieldMeta ?? {})])) {
    const current = metaOfField(now, field) ?? {};
    const isBack = isChanged(now, draft, field);
    const entry = isBack ? { ...lockOf(current), ...withoutLock(metaOfField(then, field) ?? {}) } : current;
    if (Object.keys(entry).length) meta[field] = entry;
  }
  const { _fieldMeta: _, ...rest } = draft;
  return inOrder(Object.keys(meta).length ? { ...rest, _fieldMeta: meta } : rest, schema);
}

export interface LockCommand {
  /** Undefined for every AI-generated field (lock), or for every field (unlock). */
  field: string | undefined;
  lock: boolean;
  userId?: string | undefined;
  reason?: string | undefined;
}

/** The event of a lock operation; undefined if it changes nothing. */
export function changeLocks(
  schema: CollectionSchema,
  before: StoredDocument,
  command: LockCommand,
  stamp: Stamp,
): (DocumentEvent & { after: StoredDocument }) | undefined {
  const { field, lock } = command;
  if (!lock && stamp.actor.kind === 'ai') throw forbidden('only a person can remove a lock, not an agent');
  if (field !== undefined && !schema.fields.has(field) && !Object.hasOwn(before.data, field)) {
    throw notFound(`field "${field}" of ${before.collection}/${before.slug}`);
  }
  if (lock && field !== undefined && !isLockable(schema, field)) throw invalid(`field "${field}" is not lockable`);
  const known = before._fieldMeta ?? {};
  const targets =
    field !== undefined
      ? [field]
      : Object.keys(known).filter((name) => !lock || (known[name]?.aiGenerated && isLockable(schema, name)));
  const at = stamp.now.toISOString();
  const meta: DocumentFieldMeta = { ...known };
  const changed: string[] = [];
  for (const name of targets) {
    const entry = metaOfField(before, name) ?? {};
    const next = lock
      ? withLock(entry, 'user', at, command.userId ?? stamp.actor.userId, command.reason)
      : withoutLock(entry);
    if (lock ? isLockedSo(entry, next) : entry.lockedBy === undefined) continue;
    changed.push(name);
    if (Object.keys(next).length) meta[name] = next;
    else delete meta[name];
  }
  if (changed.length === 0) return undefined;
  const { _fieldMeta: _, ...rest } = before;
  const after = inOrder(Object.keys(meta).length ? { ...rest, _fieldMeta: meta } : rest, schema);
  return { name: lock ? 'field.locked' : 'field.unlocked', before, after, fields: changed, actor: stamp.actor };
}

function isLockable(schema: CollectionSchema, field: string): boolean {
  return schema.fields.get(field)?.aiLock?.lockable !== false;
}

/** A form that sends every field back has edited only the fields that differ. */
function isChanged(before: StoredDocument | undefined, after: StoredDocument, field: string): boolean {
  return !before || !isEqual(before.data[field], after.data[field]);
}

export function metaOfField(doc: StoredDocument, field: string): FieldMeta | undefined {
  return doc._fieldMeta && Object.hasOwn(doc._fieldMeta, field) ? doc._fieldMeta[field] : undefined;
}

function withLock(
  entry: FieldMeta,
  by: 'user' | 'import',
  at: string,
  userId?: string | undefined,
  reason?: string | undefined,
): FieldMeta {
  return {
    lockedBy: by,
    lockedAt: at,
    ...(userId ? { userId } : {}),
    ...(reason ? { reason } : {}),
    ...withoutLock(entry),
  };
}

function lockOf({ lockedBy, lockedAt, userId, reason }: FieldMeta): FieldMeta {
  if (!lockedBy) return {};
  return { lockedBy, ...(lockedAt ? { lockedAt } : {}), ...(userId ? { userId } : {}), ...(reason ? { reason } : {}) };
}

function withoutLock(entry: FieldMeta): FieldMeta {
  const { lockedBy: _by, lockedAt: _at, userId: _user, reason: _reason, ...provenance } = entry;
  return provenance;
}

/** Returns true if the same user has locked the field for the same reason already. */
function isLockedSo(entry: FieldMeta, next: FieldMeta): boolean {
  return entry.lockedBy === next.lockedBy && entry.userId === next.userId && entry.reason === next.reason;
}
