// What becomes of a document when it is created, changed or removed: pure, given the document as the last accepted
// write left it. Time and ids are part of the command. Field locks are in provenance.ts.
import type { Actor } from '../access/principal.ts';
import { isEqual } from '../lib/equal.ts';
import { MAX_PROBLEMS, type Problem, ServiceError } from '../lib/errors.ts';
import { blockProblems } from './checks/block-problems.ts';
import { checkerFor } from './checks/draft-problems.ts';
import type { CollectionState } from './collection-state.ts';
import type { CreateInput, ImportInput, UpdateInput } from './commands.ts';
import { changedKeys, eventName } from './differences.ts';
import type { DocumentEvent, StoredDocument } from './document.ts';
import { afterWrite, lockedFields } from './provenance.ts';
import { AT_ONCE, type DecisionRefusals, draftNeeded, takenConflict } from './refusals.ts';
import { laterThan, type Stamp } from './stamp.ts';
import { linkTranslations, translationProblems } from './translations.ts';
import { groupProblems, localeProblems, sharedConflict } from './unique/unique-values.ts';

export type Decision = DocumentEvent & { after: StoredDocument; skippedFields?: string[] };

/** Makes a slug of any text; returns an empty string if the text has nothing to make one of. */
export type SlugMaker = (text: string) => string;

export function createDocument(
  state: CollectionState,
  input: CreateInput,
  stamp: Stamp,
  toSlug: SlugMaker,
  refuse: DecisionRefusals = AT_ONCE,
): Decision {
  const { schema } = state;
  const status = input.status ?? 'draft';
  const data = schema.withDefaults(input.data);
  refuse.problems([
    ...checkerFor(schema, status)(input.data, Object.keys(input.data)),
    ...(status === 'published' ? schema.checkRequired(data) : []),
    ...localeProblems(schema, input.locale),
    ...translationProblems(state, input.translationOf, input.slug),
  ]);
  const id = stamp.newId();
  const slug = input.slug ?? state.freeSlug(toBase(data, id, toSlug));
  if (input.slug !== undefined) refuse.conflict(takenConflict(state, slug));
  const at = stamp.now.toISOString();
  const draft: StoredDocument = {
    id,
    slug,
    collection: schema.name,
    status,
    createdAt: at,
    updatedAt: at,
    data,
  };
  setPlain(draft, input);
  const also = linkTranslations(state, undefined, draft, input, stamp);
  refuse.problems(groupProblems(state, undefined, draft, input, also));
  refuse.conflict(sharedConflict(state, undefined, draft, also));
  const fields = Object.keys(data);
  // Nobody wrote the default values.
  const after = afterWrite(schema, undefined, draft, Object.keys(input.data), stamp);
  return { name: 'document.created', before: undefined, after, fields, actor: stamp.actor, ...(also ? { also } : {}) };
}

/** `earlier` are versions of the document, whose blocks may come back. */
export function updateDocument(
  state: CollectionState,
  before: StoredDocument,
  input: UpdateInput,
  stamp: Stamp,
  refuse: DecisionRefusals = AT_ONCE,
  earlier: readonly StoredDocument[] = [],
): Decision {
  const { schema } = state;
  const had = [before, ...earlier];
  const unset = [...new Set(input.unset)];
  const supplied = [...Object.keys(input.data ?? {}), ...unset];
  const skipped = lockedFields(before, supplied, stamp.actor);
  const isSkipped = new Set(skipped);
  const written = Object.keys(input.data ?? {}).filter((field) => !isSkipped.has(field));
  const removed = unset.filter((field) => !isSkipped.has(field));
  const data = { ...before.data };
  for (const field of written) data[field] = input.data?.[field];
  for (const field of removed) delete data[field];
  const status = input.status ?? before.status;
  const isPublication = status === 'published' && before.status !== 'published';
  const check = checkerFor(schema, status);
  refuse.problems([
    ...blockProblems(had, input.data ?? {}, check(input.data ?? {}, Object.keys(input.data ?? {}))),
    ...unsetProblems(before, input.unset),
    // Values stored before the schema changed are nobody's mistake, but they must not be published. A block is: a site
    // leaves out what it has no type for.
    ...(isPublication ? blockProblems(had, data, check(data, Object.keys(data))) : []),
    ...(status === 'published' ? schema.checkRequired(data) : []),
    ...localeProblems(schema, input.locale === before.locale ? undefined : input.locale),
    ...translationProblems(state, input.translationOf, before.slug),
  ]);
  if (supplied.length > 0 && skipped.length === supplied.length)
    refuse.conflict(fieldsLocked('every field is locked', skipped));
  if (input.slug !== undefined && input.slug !== before.slug) refuse.conflict(takenConflict(state, input.slug));
  const draft: StoredDocument = { ...before, status, data, slug: input.slug ?? before.slug };
  draft.updatedAt = laterThan(before.updatedAt, stamp.now);
  setPlain(draft, input);
  refuse.conflict(draftNeeded(before, draft, input.publishAt, stamp.now));
  const also = linkTranslations(state, before, draft, input, stamp);
  refuse.problems(groupProblems(state, before, draft, input, also));
  refuse.conflict(sharedConflict(state, before, draft, also));
  const after = afterWrite(schema, before, draft, written, stamp, removed);
  const gone = removed.filter((field) => Object.hasOwn(before.data, field));
  return {
    name: eventName(before, after),
    before,
    after,
    fields: [...changedKeys(before, after), ...written, ...gone],
    actor: stamp.actor,
    ...(also ? { also } : {}),
    ...(skipped.length ? { skippedFields: skipped } : {}),
  };
}

/** A path is not a key, unless `data` has it as one. */
function unsetProblems({ data }: StoredDocument, unset: readonly string[] = []): Problem[] {
  return unset.flatMap((key, index) => {
    if (!key.includes('.') || Object.hasOwn(data, key)) return [];
    const whole = key.slice(0, key.indexOf('.'));
    const message = `"${key}" is not a key of data: to remove a part of "${whole}", send "${whole}" without it in data`;
    return [{ path: `unset.${index}`, message }];
  });
}

/** An AI may not remove a locked field, so it may not delete the document around it either. */
export function deleteDocument(before: StoredDocument, actor: Actor): DocumentEvent {
  const locked = lockedFields(before, Object.keys(before.data), actor);
  if (locked.length > 0) throw fieldsLocked('the document has locked fields', locked);
  return { name: 'document.deleted', before, after: undefined, fields: [], actor };
}

export function fieldsLocked(reason: string, fields: readonly string[]): ServiceError {
  const some = fields.slice(0, MAX_PROBLEMS);
  return new ServiceError('fields_locked', `${reason}: ${some.join(', ')}`, {
    details: some.map((field) => ({ path: `data.${field}`, message: 'is locked' })),
  });
}

/**
 * What importing a document changes; undefined if the stored one has the same content already. The caller finds the
 * stored document.
 */
export function importDocument(
  state: CollectionState,
  before: StoredDocument | undefined,
  input: ImportInput,
  stamp: Stamp,
): Decision | undefined {
  const { schema } = state;
  const data = { ...before?.data, ...input.data };
  const removed = (input.unset ?? []).filter((key) => Object.hasOwn(data, key));
  for (const key of removed) delete data[key];
  const isPublication = input.status === 'published' && before?.status !== 'published';
  AT_ONCE.problems([
    ...checkerFor(schema, input.status)(data, Object.keys(isPublication ? data : input.data)),
    ...(input.status === 'published' ? schema.checkRequired(data) : []),
    ...localeProblems(schema, input.locale === before?.locale ? undefined : input.locale),
    ...translationProblems(state, input.translationOf, input.slug),
  ]);
  if (!before) AT_ONCE.conflict(takenConflict(state, input.slug));
  const at = stamp.now.toISOString();
  const draft: StoredDocument = {
    id: before?.id ?? input.id ?? stamp.newId(),
    slug: input.slug,
    collection: schema.name,
    status: input.status,
    createdAt: input.createdAt ?? before?.createdAt ?? at,
    updatedAt: before ? laterThan(before.updatedAt, stamp.now) : (input.updatedAt ?? at),
    data,
    ...(before?._fieldMeta ? { _fieldMeta: before._fieldMeta } : {}),
  };
  for (const key of PLAIN_KEYS) {
    const value = input[key] === undefined ? before?.[key] : input[key];
    if (value !== undefined && value !== null) draft[key] = value;
  }
  const fields = Object.keys(input.data).filter(
    (key) => !before || !Object.hasOwn(before.data, key) || !isEqual(before.data[key], input.data[key]),
  );
  if (before && fields.length + removed.length === 0 && changedKeys(before, draft).length === 0) return undefined;
  AT_ONCE.conflict(draftNeeded(before, draft, input.publishAt, stamp.now));
  const also = linkTranslations(state, before, draft, input, stamp);
  AT_ONCE.problems(groupProblems(state, before, draft, input, also));
  AT_ONCE.conflict(sharedConflict(state, before, draft, also));
  const after = afterWrite(schema, before, draft, fields, stamp, removed);
  const keys = before ? changedKeys(before, after) : [];
  return {
    name: 'content.imported',
    before,
    after,
    fields: [...keys, ...fields, ...removed],
    actor: stamp.actor,
    ...(also ? { also } : {}),
  };
}

const PLAIN_KEYS = ['locale', 'translationOf', 'translationGroup', 'publishAt', 'unpublishAt'] as const;

/** Sets the keys that the input has; null clears a key. */
function setPlain(doc: StoredDocument, input: UpdateInput): void {
  for (const key of PLAIN_KEYS) {
    const value = input[key];
    if (value === null) delete doc[key];
    else if (value !== undefined) doc[key] = value;
  }
}

/** From the title, else the name, else the id. */
function toBase(data: Record<string, unknown>, id: string, toSlug: SlugMaker): string {
  for (const value of [data.title, data.name]) {
    const base = typeof value === 'string' ? toSlug(value) : '';
    if (base !== '') return base;
  }
  return id.toLowerCase();
}
