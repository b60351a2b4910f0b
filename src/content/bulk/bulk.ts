// Many changes of one collection in one request: each a commit of its own, or, with `atomic`, all of them one commit or
// nothing. Each operation is decided as its endpoint would decide it, and sees what the ones before it did.
import type { Actor } from '../../access/principal.ts';
import { forbidden, invalid, notFound, ServiceError } from '../../lib/errors.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import { toSlug } from '../../lib/text/slug.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import type { BulkOutcome, BulkResult, ContentService, DocumentRef, WriteOptions, WrittenDocument } from '../api.ts';
import { withKeyWarnings } from '../checks/data-keys.ts';
import { createStates, type StatesParts } from '../collection-state.ts';
import type { RestoreCommand, UpdateInput } from '../commands.ts';
import type { Commit } from '../commits/commit.ts';
import type { Once } from '../commits/once.ts';
import { checkMatch, decideAfterMatch, toEtag } from '../conditions.ts';
import { createDocument, type Decision, deleteDocument, updateDocument } from '../decide.ts';
import type { Data, DocumentEvent, StoredDocument } from '../document.ts';
import { refusePublic, refusePublicChange } from '../lists/drafts-only.ts';
import type { PendingState } from '../pending.ts';
import { StillReferenced } from '../relations/referenced.ts';
import type { References, WarningsOf } from '../relations/references.ts';
import { decideRestore } from '../restore.ts';
import { toBodyText } from '../stored.ts';
import type { BulkRequest } from './bulk-request.ts';
import type { BulkOperationInput, OfferedOperation } from './input.ts';
import { createOverlay } from './overlay.ts';
import { type Restores, readRestore, tooLarge } from './restores.ts';

type BulkContent = Pick<ContentService, 'create' | 'update' | 'remove' | 'restore'>;

/** What one commit may write: all of it is made in one turn. */
export const MAX_ATOMIC_BYTES = 8 << 20;

export interface OneByOneParts {
  content: BulkContent;
  once: Pick<Once, 'each'>;
  schema: CollectionSchema;
}

/**
 * Resolves once all of them are answered; a refusal of one is its answer. Call it when their decisions need not wait
 * for anything.
 */
export function runOneByOne({ content, once, schema }: OneByOneParts, request: BulkRequest): Promise<BulkOutcome> {
  const { operations, idempotency } = request;
  const breathe = createBreathe();
  return once.each(idempotency, operations.length, async (answered, keyOf) => {
    const answers: (BulkResult | Promise<BulkResult>)[] = [];
    for (const [index, operation] of operations.entries()) {
      // Decisions are made as these are called; the commits become durable together.
      const first = answered[index];
      const key = first ? undefined : keyOf(index);
      const command = !first && operation.op === 'restore' ? await readRestore(request, operation) : undefined;
      answers.push(
        first
          ? toAnswer(withKeyWarnings(schema, toInput(operation), first))
          : run(content, schema.name, operation, request, key, command).then(toAnswer, toRefusal),
      );
      await breathe();
    }
    return Promise.all(answers);
  });
}

async function run(
  content: BulkContent,
  collection: string,
  operation: OfferedOperation,
  { requestId, ...request }: BulkRequest,
  idempotency: WriteOptions['idempotency'],
  command: RestoreCommand | ServiceError | undefined,
): Promise<WrittenDocument | undefined> {
  if (operation.op === 'wrong') throw invalid(operation.problems);
  const options: WriteOptions = {
    ...(requestId === undefined ? {} : { requestId }),
    ...(idempotency === undefined ? {} : { idempotency }),
  };
  const actor = actorOf(operation, request);
  if (operation.op === 'create') return content.create(collection, present(operation), actor, options);
  const { ifMatch } = operation;
  if (ifMatch !== undefined) options.ifMatch = (etag) => request.matches(ifMatch, etag);
  if (operation.op === 'restore') return content.restore(collection, toCommand(command), actor, options);
  const ref = refOf(operation);
  if (operation.op !== 'delete') return content.update(collection, ref, changeOf(operation), actor, options);
  await content.remove(collection, ref, actor, { ...options, ifUnreferenced: operation.ifUnreferenced === true });
  return undefined;
}

export interface AtomicParts extends Omit<StatesParts, 'view' | 'pending'> {
  pending: PendingState;
  commit: Commit;
  /** The blob id that a document's file would have. */
  blobOf(doc: StoredDocument): string;
  schemaOf(collection: string): CollectionSchema;
  references: Pick<References, 'follow' | 'refuse'>;
  restores: Restores;
  warningsOf: WarningsOf;
}

/** Decides all of them at once, for a decision: throws the refusal of the first that is refused. */
export function runAsOne(
  parts: AtomicParts,
  collection: string,
  request: BulkRequest,
): BulkOutcome | Promise<BulkOutcome> {
  const overlay = createOverlay(parts.pending, parts.findTaken, parts.blobOf);
  const states = createStates(
    { ...parts, view: { subscribe: () => () => undefined }, pending: overlay.state, findTaken: overlay.findTaken },
    parts.schemaOf,
  );
  let bytes = 0;
  const decidedEvents: DocumentEvent[] = [];

  function decideOne(operation: OfferedOperation): BulkResult {
    if (operation.op === 'wrong') throw invalid(operation.problems);
    const actor = actorOf(operation, request);
    const decided = decide(operation, actor);
    const event: DocumentEvent = decided;
    refusePublicChange(event, 'translationGroup' in operation ? operation.translationGroup : undefined);
    for (const change of [event, ...(event.also ?? [])]) overlay.apply(change);
    decidedEvents.push(event);
    const { after } = event;
    if (!after) return { status: 200 };
    bytes += Buffer.byteLength(toBodyText(after));
    if (bytes > MAX_ATOMIC_BYTES) throw tooLarge();
    const { _fieldMeta: _, ...document } = after;
    return { status: 200, document, ...remarksOf(decided as Decision) };
  }

  /** The commit has the ids of the files that it wrote; only an earlier state of a document is written for its own. */
  function addEtags(answers: readonly BulkResult[]): void {
    for (const [index, { after }] of decidedEvents.entries()) {
      if (!after) continue;
      const { doc } = overlay.state.findById(collection, after.id) ?? {};
      const written = doc === after && parts.pending.findById(collection, after.id);
      answers[index]!.etag = toEtag(written && written.doc === after ? written.etag : parts.blobOf(after));
    }
  }

  function decide(operation: BulkOperationInput, actor: Actor): Decision | DocumentEvent {
    const stamp = states.stampFor(actor);
    if (operation.op === 'create') {
      refusePublic(actor, operation);
      return createDocument(states.stateOf(collection), present(operation), stamp, toSlug);
    }
    const { ifMatch } = operation;
    const options = ifMatch === undefined ? {} : { ifMatch: (etag: string) => request.matches(ifMatch, etag) };
    if (operation.op === 'restore') {
      const command = toCommand(parts.restores.get(operation));
      return decideRestore(overlay.state, states.stateOf(collection), command, stamp, options);
    }
    const ref = refOf(operation);
    const found = find(ref.idOrSlug);
    if (operation.op === 'delete') {
      refusePublic(actor, found.doc);
      checkMatch(found, options);
      return deleteDocument(found.doc, actor);
    }
    const change = changeOf(operation);
    refusePublic(actor, found.doc, change);
    return decideAfterMatch(
      () => {
        const decided = updateDocument(states.stateOf(collection), found.doc, change, stamp);
        if (!change.updateReferences) return decided;
        return parts.references.follow(decided, stamp, { pending: overlay.state, stateOf: states.stateOf });
      },
      () => checkMatch(found, options),
    );
  }

  function find(idOrSlug: string) {
    const { state } = overlay;
    const found = state.findById(collection, idOrSlug) ?? state.findBySlug(collection, idOrSlug);
    if (!found) throw notFound(`document "${idOrSlug}" in ${collection}`);
    return found;
  }

  const answers = request.operations.map((operation, index) => inPlace(index, () => decideOne(operation)));
  // Documents that point to each other may go together, so that the last operation decides.
  for (const [index, operation] of request.operations.entries()) {
    const gone = operation.op === 'delete' && operation.ifUnreferenced && decidedEvents[index]?.before;
    if (gone) inPlace(index, () => parts.references.refuse(gone, overlay.state));
  }
  // What a later operation publishes is public when the commit is.
  for (const [index, event] of decidedEvents.entries()) {
    const warnings = parts.warningsOf(event, overlay.state);
    const answer = warnings.length > 0 ? { ...answers[index]!, warnings } : answers[index]!;
    answers[index] = withKeyWarnings(parts.schemaOf(collection), toInput(request.operations[index]!), answer);
  }
  const [first, ...others] = overlay.changes().filter(({ before, after }) => before ?? after);
  if (!first) {
    addEtags(answers);
    return { answers, commit: null };
  }
  const event: DocumentEvent = { name: 'content.bulk', ...first, others, fields: [], actor: request.actor };
  const { requestId, idempotency } = request;
  const options: WriteOptions = requestId === undefined ? {} : { requestId };
  if (idempotency) {
    addEtags(answers);
    options.idempotency = { ...idempotency, answer: Buffer.from(JSON.stringify(answers)) };
  }
  const written = parts.commit(event, options);
  if (!idempotency) addEtags(answers);
  return written.then(({ commit }) => ({ answers, commit }));
}

/** The refusal of one operation is that of the whole request. */
function inPlace<T>(index: number, decide: () => T): T {
  try {
    return decide();
  } catch (error) {
    throw error instanceof ServiceError && !(error instanceof StillReferenced) ? inOperation(error, index) : error;
  }
}

function inOperation({ code, message, details, headers }: ServiceError, index: number): ServiceError {
  const at = `operations.${index}`;
  return new ServiceError(code, `${at}: ${message}`, {
    headers,
    details: (details ?? []).map((problem) => ({ ...problem, path: `${at}.${problem.path}` })),
  });
}

function actorOf({ op }: BulkOperationInput, { actor, mayPublish }: BulkRequest): Actor {
  if (op !== 'publish' && op !== 'unpublish') return actor;
  if (!mayPublish) throw forbidden(`${op} needs the permission content:publish`);
  const { draftsOnly: _, ...unlimited } = actor;
  return unlimited;
}

type TargetedOperation = Exclude<BulkOperationInput, { op: 'create' | 'restore' }>;

function toCommand(command: RestoreCommand | ServiceError | undefined): RestoreCommand {
  if (command === undefined || command instanceof ServiceError) throw command ?? new Error('a version was not read');
  return command;
}

function refOf({ id, slug }: TargetedOperation): Extract<DocumentRef, { idOrSlug: string }> {
  return { idOrSlug: (id ?? slug)! };
}

function changeOf(operation: Exclude<TargetedOperation, { op: 'delete' }>): UpdateInput {
  if (operation.op === 'publish') return { status: 'published' };
  if (operation.op === 'unpublish') return { status: 'draft' };
  const { op: _, id, ifMatch: _2, slug, ...change } = operation;
  return present({ ...change, slug: id === undefined ? undefined : slug });
}

function present<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as never;
}

function toInput(operation: OfferedOperation): { data?: Data } {
  return 'data' in operation && operation.data ? { data: operation.data } : {};
}

type Remarks = Pick<WrittenDocument, 'skippedFields' | 'warnings'>;

function remarksOf({ skippedFields, warnings }: Remarks): Remarks {
  return { ...(skippedFields ? { skippedFields } : {}), ...(warnings ? { warnings } : {}) };
}

/** A deletion is answered without a document, and so is its repetition. */
function toAnswer(written: WrittenDocument | undefined): BulkResult {
  if (!written || written.body.length === 0) return { status: 200 };
  const { body, etag } = written;
  return { status: 200, document: JSON.parse(String(body)), etag, ...remarksOf(written) };
}

function toRefusal(error: unknown): BulkResult {
  if (!(error instanceof ServiceError)) throw error;
  const { status, message, code, details } = error;
  const { references, total } = error instanceof StillReferenced ? error : {};
  return {
    status,
    error: message,
    code,
    ...(details?.length ? { details } : {}),
    ...(references && { references, total }),
  };
}
