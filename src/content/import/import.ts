// Imports documents: the part of the content service that writes as actor `import`, and only what has changed in their
// files since the last import of them. One by one, or all of them as one commit or nothing.
import type { Actor } from '../../access/principal.ts';
import { conflict, type Problem, ServiceError } from '../../lib/errors.ts';
import type { CollectionSchema } from '../../schema/collection.ts';
import type { ContentService, ImportAnswer, ImportMode, OfferedImport, WriteOptions, WrittenDocument } from '../api.ts';
import { MAX_ATOMIC_BYTES } from '../bulk/bulk.ts';
import { createOverlay } from '../bulk/overlay.ts';
import { tooLarge } from '../bulk/restores.ts';
import { type CollectionState, createStates, type StatesParts } from '../collection-state.ts';
import type { ImportInput, UpdateInput } from '../commands.ts';
import { type Decision, importDocument } from '../decide.ts';
import { DOCUMENT_KEYS, type DocumentEvent, type StoredDocument } from '../document.ts';
import { refusePublicChange } from '../lists/drafts-only.ts';
import type { PendingState } from '../pending.ts';
import type { WarningsOf } from '../relations/references.ts';
import type { Stamp } from '../stamp.ts';
import { toBodyText } from '../stored.ts';
import type { ImportRecords } from './import-records.ts';
import { type ImportRecord, mergeImport, toRecord } from './merge-import.ts';

export interface ImportParts extends Omit<StatesParts, 'view' | 'pending'> {
  pending: PendingState;
  records: ImportRecords;
  decideOn<T>(collection: string, asksGroups: boolean, run: () => T | Promise<T>): Promise<T>;
  schemaOf(collection: string): CollectionSchema;
  stateOf(collection: string): CollectionState;
  stampFor(actor: Actor): Stamp;
  commit(event: DocumentEvent, options?: WriteOptions): Promise<WrittenDocument>;
  blobOf(doc: StoredDocument): string;
  warningsOf: WarningsOf;
}

/** What was known of a file before its import is decided. */
interface Known {
  id: string;
  record: ImportRecord | undefined;
}

/** What an import does to one document. */
interface DecidedImport {
  decision: Decision | undefined;
  after: StoredDocument;
  answer: ImportAnswer;
  record: ImportRecord;
  isNewRecord: boolean;
}

interface DecidedAll {
  decided: (DecidedImport | ServiceError)[];
  isRefused: boolean;
  event: DocumentEvent | undefined;
}

export function createImport(parts: ImportParts): Pick<ContentService, 'importDocument' | 'importAll'> {
  const { pending, records, decideOn, schemaOf, stateOf, stampFor, commit } = parts;

  async function readKnown(collection: string, slug: string): Promise<Known | undefined> {
    const id = pending.findBySlug(collection, slug)?.doc.id;
    return id === undefined ? undefined : { id, record: await records.read(collection, id) };
  }

  return {
    async importDocument(collection, input, actor, options = {}) {
      schemaOf(collection);
      const known = await readKnown(collection, input.slug);
      type Made = { decided: DecidedImport; written: WrittenDocument | undefined };
      const { decided, written } = await decideOn<Made>(collection, changesGroup(input), () => {
        const decided = decideOne(
          { pending, state: stateOf(collection), stamp: stampFor(actor) },
          input,
          known,
          options,
        );
        const { decision } = decided;
        const write = decision && commit(decision, options.dryRun ? { dryRun: true } : {});
        return write ? write.then((written) => ({ decided, written })) : { decided, written: undefined };
      });
      const { answer, after, record, isNewRecord } = decided;
      if (isNewRecord && !options.dryRun) await records.write(collection, after.id, record);
      return { ...answer, warnings: [...answer.warnings, ...(written?.warnings ?? [])] };
    },
    async importAll(documents, actor, options = {}) {
      const known: (Known | undefined)[] = [];
      for (const { collection, input } of documents) {
        schemaOf(collection);
        known.push(await readKnown(collection, input.slug));
      }
      for (const collection of new Set(documents.map((one) => one.collection))) {
        await decideOn(collection, true, () => undefined);
      }
      const [first] = documents;
      if (!first) return [];
      const all = await decideOn<DecidedAll>(first.collection, true, () => {
        const all = decideAll(parts, documents, known, actor, options);
        return options.dryRun || !all.event ? all : parts.commit(all.event).then(() => all);
      });
      const { decided, isRefused } = all;
      const made =
        options.dryRun || isRefused ? [] : decided.flatMap((one) => (one instanceof ServiceError ? [] : [one]));
      for (const { after, record, isNewRecord } of made) {
        if (isNewRecord) await records.write(after.collection, after.id, record);
      }
      return decided.map((one) => (one instanceof ServiceError ? one : one.answer));
    },
  };
}

function decideOne(
  {
    pending,
    state,
    stamp,
  }: { pending: Pick<PendingState, 'findBySlug' | 'hasId'>; state: CollectionState; stamp: Stamp },
  input: ImportInput,
  known: Known | undefined,
  { fillDefaults }: ImportMode,
): DecidedImport {
  const { schema } = state;
  const before = pending.findBySlug(schema.name, input.slug)?.doc;
  if (!before && input.id && pending.hasId(input.id)) throw conflict(`id "${input.id}" belongs to another document`);
  if (before?.locale && input.locale && before.locale !== input.locale) {
    throw conflict(`slug "${input.slug}" is taken by a document in ${before.locale}`);
  }
  const record = before && known?.id === before.id ? known.record : undefined;
  const merged = before && mergeImport(before, input, record);
  const created = fillDefaults ? { ...input, data: schema.withDefaults(input.data) } : input;
  const decision = importDocument(state, before, merged?.input ?? created, stamp);
  const after = decision?.after ?? before!;
  const next = toRecord(after, input, { before, record });
  const warnings: Problem[] = [
    ...(merged?.kept ?? []).map((path) => ({ path, message: KEPT })),
    ...schema.unknownKeys(input.data, DOCUMENT_KEYS),
  ];
  const outcome = !decision ? 'unchanged' : before ? 'updated' : 'created';
  const isNewRecord = JSON.stringify(next) !== JSON.stringify(record);
  return { decision, after, answer: { outcome, warnings }, record: next, isNewRecord };
}

const KEPT = 'was changed in the document and in the file since the last import; the document keeps its own';

/** Decides all of them on each other, for a decision; no event if one is refused. */
function decideAll(
  parts: ImportParts,
  documents: readonly OfferedImport[],
  known: readonly (Known | undefined)[],
  actor: Actor,
  options: ImportMode,
): DecidedAll {
  const overlay = createOverlay(parts.pending, parts.findTaken, parts.blobOf);
  const states = createStates(
    { ...parts, view: { subscribe: () => () => undefined }, pending: overlay.state, findTaken: overlay.findTaken },
    parts.schemaOf,
  );
  let bytes = 0;
  const decided = documents.map(({ collection, input }, index) => {
    try {
      const on = { pending: overlay.state, state: states.stateOf(collection), stamp: states.stampFor(actor) };
      const one = decideOne(on, input, known[index], options);
      const { decision, answer } = one;
      if (!decision) return one;
      refusePublicChange(decision);
      for (const change of [decision, ...(decision.also ?? [])]) overlay.apply(change);
      bytes += Buffer.byteLength(toBodyText(one.after));
      if (bytes > MAX_ATOMIC_BYTES) throw tooLarge();
      answer.warnings.push(...parts.warningsOf(decision, overlay.state));
      return one;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code === 'too_large') throw error;
      return error;
    }
  });
  if (decided.some((one) => one instanceof ServiceError)) return { decided, isRefused: true, event: undefined };
  const [change, ...others] = overlay.changes();
  const event: DocumentEvent | undefined = change && { name: 'content.imported', ...change, others, fields: [], actor };
  return { decided, isRefused: false, event };
}

/** Whether a write asks for groups of translations. */
export function changesGroup({ slug, locale, translationOf, translationGroup }: UpdateInput | ImportInput): boolean {
  // A rename asks for translations too.
  return slug !== undefined || locale !== undefined || translationOf !== undefined || translationGroup !== undefined;
}
