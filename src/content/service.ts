// The content capability: one door for HTTP, the programmatic interface, import and the scheduler. Each write is
// decided synchronously on the pending state, becomes one commit, and resolves once that is durable; an answer without
// a commit of its own resolves once the state that the decision saw is durable.
import { notFound } from '../lib/errors.ts';
import { toSlug } from '../lib/text/slug.ts';
import type { CollectionSchema } from '../schema/collection.ts';
import type { ContentService, DocumentRef, WriteOptions, WrittenDocument } from './api.ts';
import { MAX_ATOMIC_BYTES, runAsOne, runOneByOne } from './bulk/bulk.ts';
import { asksReferences } from './bulk/bulk-request.ts';
import { readRestores } from './bulk/restores.ts';
import { withKeyWarnings } from './checks/data-keys.ts';
import { draftProblems } from './checks/draft-problems.ts';
import { EARLIER, type ReadVersions, withEarlierBlocks } from './checks/earlier-blocks.ts';
import { createStates } from './collection-state.ts';
import { type CommitParts, createBlobOf, createCommit, createShowUnwritten } from './commits/commit.ts';
import { createDocumentsPart } from './commits/documents-part.ts';
import { createOnce, type OnceParts } from './commits/once.ts';
import { checkAbsent, checkMatch, decideAfterMatch } from './conditions.ts';
import { createDocument, type Decision, deleteDocument, updateDocument } from './decide.ts';
import type { DocumentEvent, StoredDocument } from './document.ts';
import { createApplyDue } from './due.ts';
import { changesGroup, createImport } from './import/import.ts';
import type { ImportRecords } from './import/import-records.ts';
import { refusePublic, refusePublicChange } from './lists/drafts-only.ts';
import type { FindTexts } from './lists/selection.ts';
import { createLocks } from './locks/locks.ts';
import type { PendingState } from './pending.ts';
import { createDraftCheck } from './preview/check-draft.ts';
import { createGetCollection, createReads, nameOf } from './reads.ts';
import { refusing } from './refusals.ts';
import { createFollowMedia } from './relations/follow-media.ts';
import { createReferences, type References, type WarningsOf } from './relations/references.ts';
import { decideRestore } from './restore.ts';
import type { ValueIndex } from './rows/value-index.ts';

export interface ContentParts extends CommitParts, OnceParts {
  /** Path of the file at a document's place, valid or not, as of the last accepted write. */
  findTaken(doc: { collection: string; slug: string }): string | undefined;
  newId(): string;
  newGroup(): string;
  /** The values of unique fields. */
  unique: ValueIndex;
  findTexts: FindTexts;
  readVersions: ReadVersions;
  records: ImportRecords;
}

export function createContent(parts: ContentParts): ContentService {
  const { view, pending } = parts;
  const getCollection = createGetCollection(view);
  const schemaOf = (name: string) => getCollection(name).schema;
  const { stateOf, stampFor } = createStates(parts, schemaOf);
  const { decide } = parts.decisions;
  const reads = createReads(view, parts.findTexts);
  const references = createReferences({ view, pending }, reads.get);
  const { warningsOf, withWarnings } = createWarnings(references, schemaOf);
  const toPart = createDocumentsPart(parts);
  const commitEvent = createCommit(parts, toPart);
  const blobOf = createBlobOf(parts);
  const showUnwritten = createShowUnwritten(parts);
  const once = createOnce(parts);
  const getPending = createGetPending(pending, schemaOf);

  /** Decides once the indexes that the decision may ask are built, which they are but for a moment after a start. */
  function decideOn<T>(collection: string, asksGroups: boolean, run: () => T | Promise<T>): Promise<T> {
    const building = parts.unique.prepare(collection) ?? (asksGroups ? pending.prepareGroups(collection) : undefined);
    return building ? building.then(() => decideOn(collection, asksGroups, run)) : decide(run);
  }

  /** Every change of a document passes here. */
  function commit(event: DocumentEvent, options?: WriteOptions, givenGroup?: string): Promise<WrittenDocument> {
    refusePublicChange(event, givenGroup);
    const warnings = warningsOf(event);
    const written = options?.dryRun ? showUnwritten(event) : commitEvent(event, options);
    return warnings.length === 0 ? written : written.then((answer) => ({ ...answer, warnings }));
  }

  const shared = { stateOf, stampFor, commit };
  const service: ContentService = {
    ...reads,
    references: references.list,
    referencesTo: references.listTo,
    ...createFollowMedia({ references, pending, stateOf, stampFor, toPart }),
    async warm() {
      for (const collection of parts.unique.collections) await parts.unique.prepare(collection);
      for (const { schema } of view.collections()) await pending.prepareGroups(schema.name);
    },
    ...createDraftCheck({ getPending, stateOf, stampFor, readVersions: parts.readVersions }),
    ...createLocks({ decide, getPending, getCollection, stampFor, commit }),
    async create(collection, input, actor, options) {
      refusePublic(actor, input);
      const run = (): Promise<WrittenDocument> => {
        const decision = decideAfterMatch(
          () =>
            refusing(options?.dryRun, (refuse) =>
              createDocument(stateOf(collection), input, stampFor(actor), toSlug, refuse),
            ),
          () =>
            options?.ifNoneMatch && input.slug && checkAbsent(input.slug, pending.findBySlug(collection, input.slug)),
        );
        return commit(decision, options, input.translationGroup);
      };
      const written = await once.write(options, () => decideOn(collection, changesGroup(input), run));
      return withKeyWarnings(schemaOf(collection), input, withWarnings(written));
    },
    async update(collection, ref, input, actor, options) {
      const building = input.updateReferences && input.slug !== undefined && references.prepare();
      if (building) await building;
      const write = (earlier: readonly StoredDocument[]) =>
        decideOn(collection, changesGroup(input), () => {
          const found = getPending(collection, ref);
          refusePublic(actor, found.doc, input);
          const stamp = stampFor(actor);
          const decision = decideAfterMatch(
            () => {
              const state = stateOf(collection);
              const decided = refusing(options?.dryRun, (refuse) =>
                updateDocument(state, found.doc, input, stamp, refuse, earlier),
              );
              return input.updateReferences ? references.follow(decided, stamp, { pending, stateOf }) : decided;
            },
            () => checkMatch(found, options),
          );
          return commit(decision, options, input.translationGroup).then((answer) => withSkipped(decision, answer));
        });
      const written = await withEarlierBlocks(write, () =>
        parts.readVersions(getPending(collection, ref).doc.id, EARLIER),
      );
      return withKeyWarnings(schemaOf(collection), input, written);
    },
    async bulk(collection, request, atomic) {
      getCollection(collection);
      const { operations, idempotency } = request;
      // Nothing may wait between the decisions of operations that see each other.
      if (operations.some(asksReferences)) await references.prepare();
      await decideOn(collection, true, () => undefined);
      if (!atomic) return runOneByOne({ content: service, once, schema: schemaOf(collection) }, request);
      const restores = await readRestores(request, MAX_ATOMIC_BYTES);
      const own = { references, warningsOf, restores, schemaOf };
      const bulkParts = { ...parts, ...own, commit: commitEvent, blobOf };
      return once.all(idempotency, () => decideOn(collection, true, () => runAsOne(bulkParts, collection, request)));
    },
    remove: async (collection, ref, actor, options) => {
      if (options?.ifUnreferenced) await references.prepare();
      return decide(() => {
        const found = getPending(collection, ref);
        refusePublic(actor, found.doc);
        checkMatch(found, options);
        if (options?.ifUnreferenced) references.refuse(found.doc);
        return commit(deleteDocument(found.doc, actor), options).then(({ commit: id }) => ({ commit: id! }));
      });
    },
    restore: (collection, command, actor, options) =>
      once.write(options, () =>
        decideOn(collection, true, () =>
          commit(decideRestore(pending, stateOf(collection), command, stampFor(actor), options), options),
        ),
      ),
    ...createApplyDue({ decide, pending, ...shared }),
    ...createImport({ ...parts, ...shared, decideOn, schemaOf, warningsOf, blobOf }),
  };
  return service;
}

/** What the writer of a document has to know besides. */
function createWarnings(references: References, schemaOf: (collection: string) => CollectionSchema) {
  const warningsOf: WarningsOf = (event, state) => {
    const { after } = event;
    return after ? [...draftProblems(schemaOf(after.collection), after), ...references.warningsOf(event, state)] : [];
  };
  return {
    warningsOf,
    /** A replayed answer has the document of then, and what is wrong with it now. */
    withWarnings(written: WrittenDocument): WrittenDocument {
      if (!written.replayed) return written;
      const after = JSON.parse(String(written.body)) as StoredDocument;
      const warnings = warningsOf({ before: undefined, after, fields: [] });
      return warnings.length > 0 ? { ...written, warnings } : written;
    },
  };
}

function withSkipped({ skippedFields }: Decision, written: WrittenDocument): WrittenDocument {
  return { ...written, ...(skippedFields ? { skippedFields } : {}) };
}

function createGetPending(pending: PendingState, schemaOf: (collection: string) => unknown) {
  return (collection: string, ref: DocumentRef): { doc: StoredDocument; etag: string } => {
    schemaOf(collection); // 404 for an unknown collection
    const found = findPending(pending, collection, ref);
    if (!found) throw notFound(`document "${nameOf(ref)}" in ${collection}`);
    return found;
  };
}

function findPending(pending: PendingState, collection: string, ref: DocumentRef) {
  if ('slug' in ref) return pending.findBySlug(collection, ref.slug);
  if ('id' in ref) return pending.findById(collection, ref.id);
  return pending.findById(collection, ref.idOrSlug) ?? pending.findBySlug(collection, ref.idOrSlug);
}
