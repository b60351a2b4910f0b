// Writes an approved item as one commit: as actor `ai`, with the fields that a person edited as that person's. Decided on
// the document as it is now; locks and rights are the content service's to check.
import { setTimeout as delay } from 'node:timers/promises';
import type { Actor } from '../access/principal.ts';
import type { ContentService, WrittenDocument } from '../content/api.ts';
import type { Data, StoredDocument } from '../content/document.ts';
import { conflict, type Problem, ServiceError } from '../lib/errors.ts';
import { type ApprovalChoice, type ApprovalPlan, changesNothing, planApproval } from './decide.ts';
import type { CurationItem } from './item.ts';
import { toBase, toCreate } from './propose.ts';
import { VersionsConflict } from './versions-conflict.ts';

export interface ApprovedWrite {
  document: StoredDocument;
  skippedFields: string[];
  warnings?: Problem[];
}

export interface WriteApprovedParts {
  site: string;
  content: Pick<ContentService, 'stored' | 'get' | 'create' | 'update'>;
}

/** Reads see what is durable, and a write may be on its way to it. */
const TRIES = 50;
const PAUSE_MS = 20;

/** `actor` is who approves; with `draftsOnly` nothing that is public changes. */
export async function writeApproved(
  parts: WriteApprovedParts,
  item: CurationItem,
  chosen: Data,
  choice: ApprovalChoice,
  actor: Actor,
): Promise<ApprovedWrite> {
  const write = item.documentId === null ? createDocument : updateDocument;
  return write(parts, item, (document) => planApproval(item, chosen, choice, document, actor.kind === 'user'), {
    ...{ choice, actor },
  });
}

type PlanFor = (document: StoredDocument | undefined) => ApprovalPlan;

interface By {
  choice: ApprovalChoice;
  actor: Actor;
}

/** Under a key of its own, so that an approval that a crash interrupted does not create the document twice. */
async function createDocument(
  { site, content }: WriteApprovedParts,
  item: CurationItem,
  plan: PlanFor,
  { actor }: By,
): Promise<ApprovedWrite> {
  const planned = plan(undefined);
  const idempotency = { scope: `curation ${site} ${item.id}`, bodyDigest: item.id };
  const input = toCreate(planned.data, planned.change);
  const written = await content.create(item.collection, input, asAi(actor, item, planned), { idempotency });
  return toApproved(written, content, item, planned);
}

async function updateDocument(
  { content }: WriteApprovedParts,
  item: CurationItem,
  plan: PlanFor,
  { choice, actor }: By,
): Promise<ApprovedWrite> {
  const { collection } = item;
  const ref = { id: item.documentId! };
  for (let attempt = 1; ; attempt++) {
    const document = content.stored(collection, ref);
    const planned = plan(document);
    if (!document) throw toConflict(item, undefined, planned);
    if (choice.asDraft && (document.status === 'published' || document.publishAt !== undefined)) {
      throw conflict(`document "${collection}/${document.slug}" is public; approve the item without asDraft`);
    }
    if (planned.conflicts.length > 0) throw toConflict(item, document, planned);
    if (changesNothing(planned)) {
      if (planned.skipped.length > 0) throw allLocked(planned.skipped);
      return { document, skippedFields: [] };
    }
    const { etag } = content.get(collection, ref);
    try {
      const options = { ifMatch: (now: string) => now === etag };
      const { data, change } = planned;
      if (planned.skipped.length > 0 && Object.keys(data).length === 0) throw allLocked(planned.skipped);
      const written = await content.update(collection, ref, { ...change, data }, asAi(actor, item, planned), options);
      return toApproved(written, content, item, planned);
    } catch (error) {
      if (!(error instanceof ServiceError) || error.code !== 'precondition_failed' || attempt === TRIES) throw error;
      await delay(PAUSE_MS);
    }
  }
}

function asAi(actor: Actor, { model }: CurationItem, { personFields }: ApprovalPlan): Actor {
  const { aiModel: _, ...rest } = actor;
  const isDecided = actor.kind === 'user';
  return { ...rest, kind: 'ai', isDecided, personFields, ...(model === null ? {} : { aiModel: model }) };
}

function toApproved(
  { body, skippedFields = [], warnings }: WrittenDocument,
  content: WriteApprovedParts['content'],
  { collection }: CurationItem,
  { skipped }: ApprovalPlan,
): ApprovedWrite {
  const document = JSON.parse(String(body)) as StoredDocument;
  const now = content.stored(collection, { id: document.id }) ?? document;
  const all = [...new Set([...skipped, ...skippedFields])];
  return { document: now, skippedFields: all, ...(warnings ? { warnings } : {}) };
}

function allLocked(fields: readonly string[]): ServiceError {
  const details = fields.map((field) => ({ path: `data.${field}`, message: 'is locked' }));
  return new ServiceError('fields_locked', `every field is locked: ${fields.join(', ')}`, { details });
}

function toConflict(
  { collection, slug, base }: CurationItem,
  document: StoredDocument | undefined,
  { data, conflicts }: ApprovalPlan,
): VersionsConflict {
  const fields = document ? conflicts : Object.keys(data);
  const sentence = document
    ? `document "${collection}/${document.slug}" has changed since in the same fields; edit them in the item, then approve it`
    : `document "${collection}/${slug}" is deleted; reject the item, or restore the document`;
  const pick = (from: Data): Data =>
    Object.fromEntries(fields.flatMap((field) => (Object.hasOwn(from, field) ? [[field, from[field]]] : [])));
  return new VersionsConflict(sentence, fields, {
    current: document ? toBase(document, fields) : null,
    proposed: pick(data),
    base: pick(base),
  });
}
