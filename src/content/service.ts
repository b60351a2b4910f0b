// The content capability: one door for HTTP, the programmatic interface, import and the scheduler. Each write is
// decided synchronously on the pending state, becomes one commit, and resolves once that is durable; an answer without
// a commit of its own resolves once the state that the decision saw is durable.
import { conflict, notFound, ServiceError } from '../lib/errors.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import { toSlug } from '../lib/text/slug.ts';
import type { ContentService, DocumentRef, WriteOptions, WrittenDocument } from './api.ts';
import { runAsOne, runOneByOne } from './bulk/bulk.ts';
import { createStates } from './collection-state.ts';
import type { ImportInput, UpdateInput } from './commands.ts';
import { type CommitParts, createCommit } from './commits/commit.ts';
import { createOnce, type OnceParts } from './commits/once.ts';
import { checkAbsent, checkMatch, decideAfterMatch, refuseDeleted } from './conditions.ts';
import { createDocument, deleteDocument, importDocument, updateDocument } from './decide.ts';
import type { DocumentEvent, StoredDocument } from './document.ts';
import { dueStep } from './due.ts';
import { refusePublic, refusePublicChange } from './lists/drafts-only.ts';
import { createLocks } from './locks/locks.ts';
import type { PendingState } from './pending.ts';
import { createDraftCheck } from './preview/check-draft.ts';
import { createGetCollection, createReads, nameOf } from './reads.ts';
import { createReferences } from './relations/references.ts';
import { restoreDocument } from './restore.ts';
import type { ValueIndex } from './rows/value-index.ts';

export interface ContentParts extends CommitParts, OnceParts {
  /** Path of the file at a document's place, valid or not, as of the last accepted write. */
  findTaken(doc: { collection: string; slug: string }): string | undefined;
  newId(): string;
  newGroup(): string;
  /** The values of unique fields. */
  unique: ValueIndex;
}

export function createContent(parts: ContentParts): ContentService {
  const { view, pending } = parts;
  const getCollection = createGetCollection(view);
  const { stateOf, stampFor } = createStates(parts, (name) => getCollection(name).schema);
  const { decide } = parts.decisions;
  const reads = createReads(view);
  const references = createReferences({ view, pending }, reads.get);
  const commitEvent = createCommit(parts);
  const once = createOnce(parts);
  function getPending(collection: string, ref: DocumentRef): { doc: StoredDocument; etag: string } {
    getCollection(collection);
    const found = findPending(pending, collection, ref);
    if (!found) throw notFound(`document "${nameOf(ref)}" in ${collection}`);
    return found;
  }

  /** Decides once the indexes that the decision may ask are built, which they are but for a moment after a start. */
  function decideOn<T>(collection: string, asksGroups: boolean, run: () => T | Promise<T>): Promise<T> {
    const building = parts.unique.prepare(collection) ?? (asksGroups ? pending.prepareGroups(collection) : undefined);
    return building ? building.then(() => decideOn(collection, asksGroups, run)) : decide(run);
  }

  /** Every change of a document passes here. */
  function commit(event: DocumentEvent, options?: WriteOptions, givenGroup?: string) {
    refusePublicChange(event, givenGroup);
    return commitEvent(event, options);
  }

  const service: ContentService = {
    ...reads,
    references: references.list,
    async warm() {
      for (const collection of parts.unique.collections) await parts.unique.prepare(collection);
      for (const { schema } of view.collections()) await pending.prepareGroups(schema.name);
    },
    ...createDraftCheck({ getPending, stateOf, stampFor }),
    ...createLocks({ decide, getPending, getCollection, stampFor, commit }),
    async create(collection, input, actor, options) {
      refusePublic(actor, input);
      const run = (): Promise<WrittenDocument> => {
        const decision = decideAfterMatch(
          () => createDocument(stateOf(collection), input, stampFor(actor), toSlug),
          () =>
            options?.ifNoneMatch && input.slug && checkAbsent(input.slug, pending.findBySlug(collection, input.slug)),
        );
        return commit(decision, options, input.translationGroup);
      };
      return once(options, () => decideOn(collection, changesGroup(input), run));
    },
    update: (collection, ref, input, actor, options) =>
      decideOn(collection, changesGroup(input), () => {
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
    async bulk(collection, request, atomic) {
      getCollection(collection);
      if (!atomic) return { answers: await runOneByOne(service, collection, request, createBreathe()), commit: null };
      const bulkParts = { ...parts, commit: commitEvent, schemaOf: (name: string) => getCollection(name).schema };
      return decideOn(collection, true, () => runAsOne(bulkParts, collection, request));
    },
    remove: async (collection, ref, actor, options) => {
      if (options?.ifUnreferenced) await references.prepare();
      return decide(() => {
        const found = getPending(collection, ref);
        refusePublic(actor, found.doc);
        checkMatch(found, options);
        if (options?.ifUnreferenced) references.refuse(found.doc);
        return commit(deleteDocument(found.doc, actor), options).then(({ commit: id }) => ({ commit: id }));
      });
    },
    async restore(collection, command, actor, options) {
      const { id, status } = command.version;
      const run = (): Promise<WrittenDocument> => {
        const found = pending.findById(collection, id);
        refusePublic(actor, { status }, found?.doc);
        if (!found && pending.hasId(id)) throw conflict(`id "${id}" belongs to another document`);
        const decision = decideAfterMatch(
          () => restoreDocument(stateOf(collection), found?.doc, command, stampFor(actor)),
          () => (found || !options?.ifMatch ? checkMatch(found, options) : refuseDeleted(id)),
        );
        return commit(decision, options);
      };
      return once(options, () => decideOn(collection, true, run));
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
      decideOn(collection, changesGroup(input), () => {
        const state = stateOf(collection);
        const before = pending.findBySlug(collection, input.slug)?.doc;
        if (!before && input.id && pending.hasId(input.id)) {
          throw new ServiceError('conflict', `id "${input.id}" belongs to another document`);
        }
        if (before?.locale && input.locale && before.locale !== input.locale) {
          throw new ServiceError('conflict', `slug "${input.slug}" is taken by a document in ${before.locale}`);
        }
        const decision = importDocument(state, before, input, stampFor(actor));
        if (!decision) return 'unchanged';
        const outcome = before ? 'updated' : 'created';
        return options?.dryRun ? outcome : commit(decision).then(() => outcome);
      }),
  };
  return service;
}

function changesGroup({ slug, locale, translationOf, translationGroup }: UpdateInput | ImportInput): boolean {
  // A rename asks for translations too.
  return slug !== undefined || locale !== undefined || translationOf !== undefined || translationGroup !== undefined;
}

function findPending(pending: PendingState, collection: string, ref: DocumentRef) {
  if ('slug' in ref) return pending.findBySlug(collection, ref.slug);
  if ('id' in ref) return pending.findById(collection, ref.id);
  return pending.findById(collection, ref.idOrSlug) ?? pending.findBySlug(collection, ref.idOrSlug);
}
