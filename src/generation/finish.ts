// From what a model answered to the result of a request: locked fields are left out, and the rest is proposed or written.
// A write holds only for the version of the document that the model read.
import type { Ai } from '../ai/ai.ts';
import type { CreateInput } from '../content/commands.ts';
import type { Data, StoredDocument } from '../content/document.ts';
import type { AiWriter, AiWrites } from '../curation/ai-writes.ts';
import { isEqual } from '../lib/equal.ts';
import { ServiceError } from '../lib/errors.ts';
import type { GenerationCall, GenerationResult } from './generation.ts';
import type { ModelData, TargetDocument } from './parts.ts';

export interface Finishing {
  collection: string;
  apply: boolean;
  /** The document to change; undefined for a new one. */
  target: TargetDocument | undefined;
  /** What a new document has besides its data. */
  create?: Omit<CreateInput, 'data'>;
  /** A new document's source: what is the same there, no model wrote. */
  source?: StoredDocument;
}

/** Before the model is asked. @throws ServiceError 412 */
export function checkIfMatch({ apply, target }: Finishing, { ifMatch }: GenerationCall): void {
  if (!apply || !ifMatch || (target && ifMatch(target.etag))) return;
  const message = target ? 'the document has changed since; read it again' : 'the document does not exist yet';
  throw new ServiceError('precondition_failed', message, target ? { headers: { etag: target.etag } } : {});
}

export function isLockedField(target: TargetDocument | undefined, field: string): boolean {
  return metaOf(target?.doc, field)?.lockedBy !== undefined;
}

/** @throws ServiceError 409 `fields_locked` if nothing else is left */
export function refuseAllLocked(target: TargetDocument | undefined, fields: readonly string[]): void {
  if (fields.length === 0 || !fields.every((field) => isLockedField(target, field))) return;
  throw new ServiceError('fields_locked', 'every field that would change is locked', {
    details: fields.map((field) => ({ path: `data.${field}`, message: 'is locked' })),
  });
}

export async function finish(
  { ai, writes }: { ai: Ai; writes: AiWrites },
  finishing: Finishing,
  { data, used, warnings }: ModelData,
  call: GenerationCall,
): Promise<GenerationResult> {
  const { collection, apply, target, create, source } = finishing;
  const fields = Object.keys(data);
  refuseAllLocked(target, fields);
  const usage = { ...used, costUsd: ai.costUsd(used) };
  if (!apply) {
    const free = fields.filter((field) => !isLockedField(target, field));
    const proposed = Object.fromEntries(free.map((field) => [field, data[field]]));
    const proposal = {
      data: proposed,
      diff: diffOf(target?.doc, proposed),
      skippedFields: fields.filter((field) => !free.includes(field)),
    };
    return { generated: { proposal, usage, model: ai.model ?? null, warnings } };
  }
  const personFields = source && !target ? fields.filter((field) => isSame(source.data, data, field)) : [];
  const actor = personFields.length > 0 ? { ...call.actor, personFields } : call.actor;
  call.recheck();
  const writer: AiWriter = { actor, mayPublish: call.mayPublish, used: usage };
  const { requestId, idempotency } = call;
  const written = target
    ? await writes.update(collection, target.doc.slug, { data }, writer, { requestId, ifMatch: target.etag })
    : await writes.create(collection, { ...create, data }, writer, { requestId, ...(idempotency && { idempotency }) });
  return { written, warnings };
}

function diffOf(before: StoredDocument | undefined, data: Data) {
  return Object.entries(data).flatMap(([field, after]) => {
    const was = before && Object.hasOwn(before.data, field) ? before.data[field] : null;
    return isEqual(was, after) ? [] : [{ field, before: was ?? null, after }];
  });
}

function isSame(before: Data, after: Data, field: string): boolean {
  return Object.hasOwn(before, field) && isEqual(before[field], after[field]);
}

function metaOf(doc: StoredDocument | undefined, field: string) {
  const meta = doc?._fieldMeta;
  return meta && Object.hasOwn(meta, field) ? meta[field] : undefined;
}
