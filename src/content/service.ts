// The content capability: one door for HTTP, the programmatic interface, import and the scheduler. Each write decides
// synchronously on the pending state, becomes one commit, and resolves once that is durable; an answer without a commit
// of its own resolves once what it was decided on is durable.
import type { Actor } from '../access/principal.ts';
import { conflict, notFound, ServiceError } from '../lib/errors.ts';
import { toSlug } from '../lib/text/slug.ts';
import type { ContentService, DocumentRef, Viewer, WriteOptions, Written } from './api.ts';
import type { CollectionState } from './collection-state.ts';
import { type CommitParts, createCommit } from './commits/commit.ts';
import { createOnce, type OnceParts } from './commits/once.ts';
import { createDocument, deleteDocument, importDocument, updateDocument } from './decide.ts';
import type { DocumentEvent, FieldMeta, StoredDocument } from './document.ts';
import { dueStep } from './due.ts';
import { createFreeSlugs } from './free-slugs.ts';
import { refusePublic, refusePublicChange } from './lists/drafts-only.ts';
import { listDocuments } from './lists/list.ts';
import { createPrepareList } from './lists/prepare-list.ts';
import { changeLocks, type LockCommand, metaOfField } from './provenance.ts';
import { restoreDocument } from './restore.ts';
import { type Row, toStored } from './rows/row.ts';
import type { Stamp } from './stamp.ts';
import { metaOf } from './stored.ts';

export interface ContentParts extends CommitParts, OnceParts {
  /** Path of the file at a document's place, valid or not, as of the last accepted write. */
  findTaken(doc: { collection: string; slug: string }): string | undefined;
  newId(): string;
  newGroup(): string;
}

export function createContent(parts: ContentParts): ContentService {
  const { view, pending } = parts;
  const { decide } = parts.decisions;
  const commitEvent = createCommit(parts);
  const once = createOnce(parts);
  const freeSlugs = createFreeSlugs((doc) => parts.findTaken(doc) !== undefined);
  view.subscribe((before, after) => {
    if (before && before.slug !== after?.slug) freeSlugs.freed(before.collection, before.slug);
  });

  function getCollection(name: string) {
    const found = view.collection(name);
    if (!found) throw notFound(`collection "${name}"`);
    return found;
  }

  function findRow(collection: string, ref: DocumentRef, viewer?: Viewer): Row | undefined {
    getCollection(collection);
    const row =
      'slug' in ref
        ? view.bySlug(collection, ref.slug)
        : 'id' in ref
          ? ofCollection(view.byId(ref.id), collection)
          : (ofCollection(view.byId(ref.idOrSlug), collection) ?? view.bySlug(collection, ref.idOrSlug));
    return row && viewer?.publishedOnly && row.status !== 'published' ? undefined : row;
  }

  function getPending(collection: string, ref: DocumentRef): { doc: StoredDocument; etag: string } {
    getCollection(collection);
    const found =
      'slug' in ref
        ? pending.findBySlug(collection, ref.slug)
        : 'id' in ref
          ? pending.findById(collection, ref.id)
          : (pending.findById(collection, ref.idOrSlug) ?? pending.findBySlug(collection, ref.idOrSlug));
    if (!found) throw notFound(`document "${nameOf(ref)}" in ${collection}`);
    return found;
  }

  function stateOf(collection: string): CollectionState {
    return {
      schema: getCollection(collection).schema,
      findBySlug: (slug) => pending.findBySlug(collection, slug)?.doc,
      findTaken: (slug) => parts.findTaken({ collection, slug }),
      freeSlug: (base) => freeSlugs.find(collection, base),
      translationsOf: (slug) => pending.translationsOf(collection, slug),
    };
  }

  function stampFor(actor: Actor): Stamp {
    const newId = (): string => {
      for (;;) {
        const id = parts.newId();
        if (!pending.hasId(id)) return id;
      }
    };
    return { now: parts.now(), actor, newId, newGroup: parts.newGroup };
  }

  /** Every change of a document comes through here. */
  function commit(event: DocumentEvent, options?: WriteOptions, givenGroup?: string) {
    refusePublicChange(event, givenGroup);
    return commitEvent(event, options);
  }

  function checkMatch(found: { etag: string } | undefined, options: WriteOptions | undefined): void {
    if (!options?.ifMatch || !found || options.ifMatch(quote(found.etag))) return;
    throw new ServiceError('precondition_failed', 'the document has changed since; read it again', {
      headers: { etag: quote(found.etag) },
    });
  }

  function checkAbsent(collection: string, slug: string): void {
    const found = pending.findBySlug(collection, slug);
    if (!found) return;
    throw new ServiceError('precondition_failed', `document "${slug}" exists`, {
      headers: { etag: quote(found.etag) },
    });
  }

  function changeLock(
    collection: string,
    slug: string,
    command: LockCommand,
    actor: Actor,
    options?: WriteOptions,
  ): Promise<{ doc: StoredDocument; etag: string; commit: string | null }> {
    return decide(() => {
      const found = getPending(collection, { slug });
      refusePublic(actor, found.doc);
      const event = changeLocks(getCollection(collection).schema, found.doc, command, stampFor(actor));
      checkMatch(found, options);
      if (!event) return { doc: found.doc, etag: quote(found.etag), commit: null };
      return commit(event, options).then((written) => ({ ...written, doc: event.after }));
    });
  }

  const fieldAnswer = (
    { doc, etag, commit: id }: { doc: StoredDocument; etag: string; commit: string | null },
    field: string,
  ): { meta: FieldMeta; etag: string; commit: string | null } => ({
    meta: metaOfField(doc, field) ?? {},
    etag,
    commit: id,
  });

  const prepareList = createPrepareList();

  return {
    checkCollection: (collection) => void getCollection(collection),
    list: (collection, query, viewer) => listDocuments(getCollection(collection), query, viewer),
    prepareList: (collection, query, viewer) => prepareList(getCollection(collection), query, viewer),
    find(collection, ref, viewer) {
      const row = findRow(collection, ref, viewer);
      return row && { body: row.body, etag: quote(row.etag) };
    },
    get(collection, ref, viewer) {
      const row = findRow(collection, ref, viewer);
      if (!row) throw notFound(`document "${nameOf(ref)}" in ${collection}`);
      return { body: row.body, etag: quote(row.etag) };
    },
    checkDocument(collection, ref, actor) {
      const row = findRow(collection, ref);
      if (!row) throw notFound(`document "${nameOf(ref)}" in ${collection}`);
      if (actor.draftsOnly) refusePublic(actor, toStored(row));
    },
    stored(collection, ref) {
      const row = findRow(collection, ref);
      return row && toStored(row);
    },
    *each(collection) {
      const rows = [...getCollection(collection).rows.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
      for (const row of rows) yield toStored(row);
    },
    async create(collection, input, actor, options) {
      refusePublic(actor, input);
      const run = (): Promise<Written> => {
        const decision = decideAfterMatch(
          () => createDocument(stateOf(collection), input, stampFor(actor), toSlug),
          () => options?.ifNoneMatch && input.slug && checkAbsent(collection, input.slug),
        );
        return commit(decision, options, input.translationGroup);
      };
      return once(options, () => decide(run));
    },
    update: (collection, ref, input, actor, options) =>
      decide(() => {
        const found = getPending(collection, ref);
        refusePublic(actor, found.doc, input);
        const decision = decideAfterMatch(
          () => updateDocument(stateOf(collection), found.doc, input, stampFor(actor)),
          () => checkMatch(found, options),
        );
        const { skippedFields } = decision;
        const written = commit(decision, options, input.translationGroup);
        return written.then((answer) => ({ ...answer, ...(skippedFields ? { skippedFields } : {}) }));
      }),
    remove: (collection, ref, actor, options) =>
      decide(() => {
        const found = getPending(collection, ref);
        refusePublic(actor, found.doc);
        checkMatch(found, options);
        return commit(deleteDocument(found.doc, actor), options).then(({ commit: id }) => ({ commit: id }));
      }),
    async restore(collection, command, actor, options) {
      const { id, status } = command.version;
      const run = (): Promise<Written> => {
        const found = pending.findById(collection, id);
        refusePublic(actor, { status }, found?.doc);
        if (!found && pending.hasId(id)) throw conflict(`id ${id} belongs to another document`);
        const decision = decideAfterMatch(
          () => restoreDocument(stateOf(collection), found?.doc, command, stampFor(actor)),
          () => (found || !options?.ifMatch ? checkMatch(found, options) : refuseDeleted(id)),
        );
        return commit(decision, options);
      };
      return once(options, () => decide(run));
    },
    applyDue: (collection, id, actor) =>
      decide(() => {
        const found = pending.findById(collection, id);
        const stamp = stampFor(actor);
        const due = found && dueStep(found.doc, stamp.now);
        if (!due) return undefined;
        return commit(updateDocument(stateOf(collection), found.doc, due.change, stamp)).then(() => due.what);
      }),
    importDocument: (collection, input, actor, options) =>
      decide(() => {
        const state = stateOf(collection);
        const before = pending.findBySlug(collection, input.slug)?.doc;
        if (!before && input.id && pending.hasId(input.id)) {
          throw new ServiceError('conflict', `id ${input.id} belongs to another document`);
        }
        if (before?.locale && input.locale && before.locale !== input.locale) {
          throw new ServiceError('conflict', `slug "${input.slug}" is taken by a document in ${before.locale}`);
        }
        const decision = importDocument(state, before, input, stampFor(actor));
        if (!decision) return 'unchanged';
        const outcome = before ? 'updated' : 'created';
        return options?.dryRun ? outcome : commit(decision).then(() => outcome);
      }),
    fieldMeta(collection, slug, viewer) {
      const row = findRow(collection, { slug }, viewer);
      if (!row) throw notFound(`document "${slug}" in ${collection}`);
      return metaOf(row.meta);
    },
    async lockField(collection, slug, field, body, actor, options) {
      return fieldAnswer(await changeLock(collection, slug, { field, lock: true, ...body }, actor, options), field);
    },
    async unlockField(collection, slug, field, actor, options) {
      return fieldAnswer(await changeLock(collection, slug, { field, lock: false }, actor, options), field);
    },
    async lockAll(collection, slug, body, actor, options) {
      const changed = await changeLock(collection, slug, { field: undefined, lock: true, ...body }, actor, options);
      return { meta: changed.doc._fieldMeta ?? {}, etag: changed.etag, commit: changed.commit };
    },
    async unlockAll(collection, slug, actor, options) {
      const changed = await changeLock(collection, slug, { field: undefined, lock: false }, actor, options);
      return { meta: changed.doc._fieldMeta ?? {}, etag: changed.etag, commit: changed.commit };
    },
  };
}

/** No condition on a document holds while it is deleted. */
function refuseDeleted(id: string): never {
  throw new ServiceError('precondition_failed', `document ${id} is deleted`);
}

/** 400 before 412 before 409: a decision that ends in a conflict gives way to a failed precondition. */
function decideAfterMatch<T>(decide: () => T, checkMatch: () => unknown): T {
  try {
    const decision = decide();
    checkMatch();
    return decision;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 409) checkMatch();
    throw error;
  }
}

function ofCollection(row: Row | undefined, collection: string): Row | undefined {
  return row?.collection === collection ? row : undefined;
}

function nameOf(ref: DocumentRef): string {
  return 'slug' in ref ? ref.slug : 'id' in ref ? ref.id : ref.idOrSlug;
}

function quote(oid: string): string {
  return `"${oid}"`;
}
