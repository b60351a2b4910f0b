// What becomes of a document when it is created, changed or removed: pure, given the document as the last accepted
// write left it. Time and ids are part of the command. Field locks are in provenance.ts.
import type { Actor } from '../access/principal.ts';
import { isEqual } from '../lib/equal.ts';
import { conflict, invalid, type Problem, ServiceError } from '../lib/errors.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import type { CreateInput, ImportInput, UpdateInput } from './api.ts';
import type { DocumentEvent, EventName, Status, StoredDocument } from './document.ts';
import { afterWrite, lockedFields } from './provenance.ts';

/** What a decision may ask about the collection, always as of the last accepted write. */
export interface CollectionState {
  schema: CollectionSchema;
  findBySlug(slug: string): StoredDocument | undefined;
  /** Documents whose `translationOf` is this slug. */
  translationsOf(slug: string): StoredDocument[];
}

export interface Stamp {
  now: Date;
  actor: Actor;
  /** A fresh document id, for creations. */
  newId(): string;
  /** A fresh uuid for a group of translations. */
  newGroup(): string;
}

export type Decision = DocumentEvent & { after: StoredDocument; skippedFields?: string[] };

/** Slug from the title, else the name, else the id; `-2`, `-3` and so on where it is taken. */
export type SlugMaker = (base: string) => string;

export function createDocument(state: CollectionState, input: CreateInput, stamp: Stamp, toSlug: SlugMaker): Decision {
  const { schema } = state;
  const status = input.status ?? 'draft';
  refuseProblems([
    ...schema.check(input.data, Object.keys(input.data)),
    ...(status === 'published' ? schema.checkRequired(input.data) : []),
    ...translationProblems(state, input.translationOf, input.slug),
  ]);
  const id = stamp.newId();
  const slug = input.slug ?? freeSlug(state, input.data, id, toSlug);
  if (input.slug !== undefined && state.findBySlug(slug)) {
    throw conflict(`slug "${slug}" is taken in ${schema.name}`);
  }
  const at = stamp.now.toISOString();
  const draft: StoredDocument = {
    id,
    slug,
    collection: schema.name,
    status,
    createdAt: at,
    updatedAt: at,
    data: input.data,
  };
  setPlain(draft, input);
  const also = joinGroup(state, draft, stamp, input.translationOf);
  const fields = Object.keys(input.data);
  const after = afterWrite(schema, undefined, draft, fields, stamp);
  return { name: 'document.created', before: undefined, after, fields, actor: stamp.actor, ...(also ? { also } : {}) };
}

export function updateDocument(
  state: CollectionState,
  before: StoredDocument,
  input: UpdateInput,
  stamp: Stamp,
): Decision {
  const { schema } = state;
  const supplied = Object.keys(input.data ?? {});
  const data = { ...before.data, ...input.data };
  const status = input.status ?? before.status;
  refuseProblems([
    ...schema.check(data, supplied),
    ...(status === 'published' ? schema.checkRequired(data) : []),
    ...translationProblems(state, input.translationOf, before.slug),
  ]);
  const skipped = lockedFields(before, supplied, stamp.actor);
  if (supplied.length > 0 && skipped.length === supplied.length) {
    throw new ServiceError('fields_locked', `every field is locked: ${skipped.join(', ')}`, {
      details: skipped.map((field) => ({ path: `data.${field}`, message: 'is locked' })),
    });
  }
  for (const field of skipped) {
    if (Object.hasOwn(before.data, field)) data[field] = before.data[field];
    else delete data[field];
  }
  if (input.slug !== undefined && input.slug !== before.slug && state.findBySlug(input.slug)) {
    throw conflict(`slug "${input.slug}" is taken in ${schema.name}`);
  }
  const draft: StoredDocument = { ...before, status, data, slug: input.slug ?? before.slug };
  draft.updatedAt = laterThan(before.updatedAt, stamp.now);
  setPlain(draft, input);
  const written = supplied.filter((field) => !skipped.includes(field));
  const also = [...(joinGroup(state, draft, stamp, input.translationOf) ?? []), ...followRename(state, before, draft)];
  const after = afterWrite(schema, before, draft, written, stamp);
  return {
    name: eventName(before, after),
    before,
    after,
    fields: [...changedKeys(before, after), ...written],
    actor: stamp.actor,
    ...(also.length ? { also } : {}),
    ...(skipped.length ? { skippedFields: skipped } : {}),
  };
}

export function deleteDocument(before: StoredDocument, actor: Actor): DocumentEvent {
  return { name: 'document.deleted', before, after: undefined, fields: [], actor };
}

/**
 * What importing a document changes; undefined where the stored one says the same already. A document that the import
 * found before is matched by the caller.
 */
export function importDocument(
  state: CollectionState,
  before: StoredDocument | undefined,
  input: ImportInput,
  stamp: Stamp,
): Decision | undefined {
  const { schema } = state;
  refuseProblems([
    ...schema.check(input.data, Object.keys(input.data)),
    ...(input.status === 'published' ? schema.checkRequired(input.data) : []),
    ...translationProblems(state, input.translationOf, input.slug),
  ]);
  const at = stamp.now.toISOString();
  const draft: StoredDocument = {
    id: before?.id ?? input.id ?? stamp.newId(),
    slug: input.slug,
    collection: schema.name,
    status: input.status,
    createdAt: input.createdAt ?? before?.createdAt ?? at,
    updatedAt: before ? laterThan(before.updatedAt, stamp.now) : (input.updatedAt ?? at),
    data: { ...before?.data, ...input.data },
  };
  for (const key of PLAIN_KEYS) {
    const value = input[key] ?? before?.[key];
    if (value !== undefined) draft[key] = value;
  }
  const fields = Object.keys(input.data).filter(
    (key) => !before || !Object.hasOwn(before.data, key) || !isEqual(before.data[key], input.data[key]),
  );
  if (before && fields.length === 0 && changedKeys(before, draft).length === 0) return undefined;
  const also = joinGroup(state, draft, stamp, input.translationOf);
  const after = afterWrite(schema, before, draft, fields, stamp);
  const keys = before ? changedKeys(before, after) : [];
  return {
    name: 'content.imported',
    before,
    after,
    fields: [...keys, ...fields],
    actor: stamp.actor,
    ...(also ? { also } : {}),
  };
}

const PLAIN_KEYS = ['locale', 'translationOf', 'translationGroup', 'publishAt', 'unpublishAt'] as const;

/** Sets the keys that the input carries; null clears. */
function setPlain(doc: StoredDocument, input: UpdateInput): void {
  for (const key of PLAIN_KEYS) {
    const value = input[key];
    if (value === null) delete doc[key];
    else if (value !== undefined) doc[key] = value;
  }
}

/** A translation shares its source's group; a source without one gets it in the same commit. */
function joinGroup(
  state: CollectionState,
  draft: StoredDocument,
  stamp: Stamp,
  translationOf: string | undefined,
): DocumentEvent['also'] | undefined {
  if (!translationOf) return undefined;
  const source = state.findBySlug(translationOf);
  if (!source) return undefined;
  draft.translationGroup = source.translationGroup ?? stamp.newGroup();
  if (source.translationGroup) return undefined;
  return [{ before: source, after: { ...source, translationGroup: draft.translationGroup } }];
}

/** Translations name their source by slug, so they follow it. */
function followRename(state: CollectionState, before: StoredDocument, after: StoredDocument) {
  if (before.slug === after.slug) return [];
  return state
    .translationsOf(before.slug)
    .filter((doc) => doc.id !== before.id)
    .map((doc) => ({ before: doc, after: { ...doc, translationOf: after.slug } }));
}

function freeSlug(state: CollectionState, data: Record<string, unknown>, id: string, toSlug: SlugMaker): string {
  const source = [data.title, data.name].find((value) => typeof value === 'string' && toSlug(value) !== '');
  const base = typeof source === 'string' ? toSlug(source) : id.toLowerCase();
  if (!state.findBySlug(base)) return base;
  for (let n = 2; ; n++) {
    const suffix = `-${n}`;
    const slug = base.slice(0, 200 - suffix.length).replace(/[-.]+$/, '') + suffix;
    if (!state.findBySlug(slug)) return slug;
  }
}

function translationProblems(state: CollectionState, of: string | undefined, own: string | undefined): Problem[] {
  if (of === undefined) return [];
  if (of === own) return [{ path: 'translationOf', message: 'must not be the document itself' }];
  if (!state.findBySlug(of)) return [{ path: 'translationOf', message: `no document "${of}" in ${state.schema.name}` }];
  return [];
}

function refuseProblems(problems: Problem[]): void {
  const seen = new Set<string>();
  const distinct = problems.filter(({ path }) => !seen.has(path) && seen.add(path));
  if (distinct.length) throw invalid(distinct);
}

const STATUS_EVENT: Record<Status, EventName> = {
  published: 'document.published',
  archived: 'document.archived',
  draft: 'document.unpublished',
};

function eventName(before: StoredDocument, after: StoredDocument): EventName {
  if (before.status !== after.status) return STATUS_EVENT[after.status];
  return before.slug === after.slug ? 'document.updated' : 'document.renamed';
}

function changedKeys(before: StoredDocument, after: StoredDocument): string[] {
  const keys = ['slug', 'status', ...PLAIN_KEYS, 'createdAt'] as const;
  return keys.filter((key) => before[key] !== after[key]);
}

/** Strictly increasing per document, whatever the clock does. */
export function laterThan(previous: string, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(previous) + 1)).toISOString();
}
