// What becomes of a document when one of its versions is restored. Pure. It is a change like any other, and is checked
// like an update. Everything comes back except what would act by itself or contradict the present state:
// - a scheduled time that has passed is left out, or the next run of the schedule would publish the document;
// - a translation names its source by its present slug, or names no source if that is gone;
// - field locks stay as they are now, because they protect the present values (provenance.ts).
import { conflict } from '../lib/errors.ts';
import type { WriteOptions } from './api.ts';
import { blockProblems } from './checks/block-problems.ts';
import { checkerFor } from './checks/draft-problems.ts';
import type { CollectionState } from './collection-state.ts';
import type { RestoreCommand } from './commands.ts';
import { checkMatch, decideAfterMatch, refuseDeleted } from './conditions.ts';
import { type Decision, fieldsLocked } from './decide.ts';
import { changedFields, changedKeys } from './differences.ts';
import type { StoredDocument } from './document.ts';
import { refusePublic } from './lists/drafts-only.ts';
import type { PendingState } from './pending.ts';
import { afterRestore, lockedFields } from './provenance.ts';
import { AT_ONCE, takenConflict } from './refusals.ts';
import { laterThan, type Stamp } from './stamp.ts';
import { linkTranslations } from './translations.ts';
import { groupProblems, sharedConflict } from './unique/unique-values.ts';

/** A restoration on the document as it is now. @throws ServiceError 403, 409, 412 and what `restoreDocument` throws */
export function decideRestore(
  pending: Pick<PendingState, 'findById' | 'hasId'>,
  state: CollectionState,
  command: RestoreCommand,
  stamp: Stamp,
  options?: Pick<WriteOptions, 'ifMatch'>,
): Decision {
  const { id, status } = command.version;
  const found = pending.findById(state.schema.name, id);
  refusePublic(stamp.actor, { status }, found?.doc);
  if (!found && pending.hasId(id)) throw conflict(`id "${id}" belongs to another document`);
  return decideAfterMatch(
    () => restoreDocument(state, found?.doc, command, stamp),
    () => (found || !options?.ifMatch ? checkMatch(found, options) : refuseDeleted(id)),
  );
}

/** `before` is undefined for a deleted document. */
export function restoreDocument(
  state: CollectionState,
  before: StoredDocument | undefined,
  { version, commit, last }: RestoreCommand,
  stamp: Stamp,
): Decision {
  const { schema } = state;
  const now = before ?? last;
  const slug = version.slug;
  const back = before ? changedFields(before.data, version.data) : Object.keys(version.data);
  const isPublication = version.status === 'published' && before?.status !== 'published';
  const check = checkerFor(schema, version.status);
  const checked = check(version.data, isPublication ? Object.keys(version.data) : back);
  AT_ONCE.problems([
    // What was stored once comes back with blocks whose type left the configuration.
    ...blockProblems([version], version.data, checked),
    ...(version.status === 'published' ? schema.checkRequired(version.data) : []),
  ]);
  const locked = lockedFields(now, changedFields(now.data, version.data), stamp.actor);
  if (locked.length > 0) throw fieldsLocked('the version differs in locked fields', locked);
  if (slug !== before?.slug) AT_ONCE.conflict(takenConflict(state, slug));

  const draft: StoredDocument = {
    id: now.id,
    slug,
    collection: schema.name,
    status: version.status,
    createdAt: version.createdAt,
    updatedAt: laterThan(now.updatedAt, stamp.now),
    data: version.data,
  };
  if (version.locale !== undefined) draft.locale = version.locale;
  for (const key of ['publishAt', 'unpublishAt'] as const) {
    const at = version[key];
    if (at !== undefined && Date.parse(at) > stamp.now.getTime()) draft[key] = at;
  }
  const source = findSource(state, before, version);
  if (source !== undefined) draft.translationOf = source;
  const group = version.translationOf === undefined ? ownGroup(now, version) : undefined;
  if (group !== undefined) draft.translationGroup = group;
  const also = linkTranslations(state, before, draft, source === undefined ? {} : { translationOf: source }, stamp);
  AT_ONCE.problems(groupProblems(state, before, draft, {}, also));
  AT_ONCE.conflict(sharedConflict(state, before, draft, also));
  return {
    name: 'document.restored',
    before,
    after: afterRestore(schema, now, version, draft),
    fields: [...changedKeys(before, draft), ...back],
    actor: stamp.actor,
    restoredFrom: commit,
    ...(also ? { also } : {}),
  };
}

/**
 * The group of a document that is not a translation: its translations have it, whether or not the version had it yet.
 */
function ownGroup(now: StoredDocument, version: StoredDocument): string | undefined {
  return (now.translationOf === undefined ? now.translationGroup : undefined) ?? version.translationGroup;
}

/** The present slug of the version's source, which may have been renamed since; undefined if the source is gone. */
function findSource(
  state: CollectionState,
  before: StoredDocument | undefined,
  version: StoredDocument,
): string | undefined {
  const { translationOf, translationGroup } = version;
  if (translationOf === undefined) return undefined;
  const isSameGroup = translationGroup !== undefined && before?.translationGroup === translationGroup;
  const slug = isSameGroup ? (before?.translationOf ?? translationOf) : translationOf;
  const source = state.findBySlug(slug);
  return source && source.id !== version.id ? slug : undefined;
}
