// Turns what a model wants to write into an item of the queue. Checked as a write would be, so that bad input is refused
// now and not when a person approves it; locked fields are left out.
import type { ContentService } from '../content/api.ts';
import type { CreateInput } from '../content/commands.ts';
import type { Data, StoredDocument } from '../content/document.ts';
import { lockedFields } from '../content/provenance.ts';
import { conflict, invalid, notFound, ServiceError } from '../lib/errors.ts';
import type { SiteSchema } from '../schema/collection.ts';
import type { AiWriter } from './ai-writes.ts';
import { type CurationItem, type ItemChange, toTitle } from './item.ts';
import type { Items } from './items.ts';

/** A queue that nobody works through must not fill the disk. */
const MAX_WAITING = 20_000;
const MAX_ITEM_BYTES = 4 * 1024 * 1024;

export interface Proposal {
  collection: string;
  /** Undefined for a new document. */
  slug: string | undefined;
  data: Data;
  alternatives?: readonly Data[] | undefined;
  change?: ItemChange | undefined;
  /** A quoted ETag that the document must have. */
  ifMatch?: string | undefined;
}

export interface ProposeParts {
  content: Pick<ContentService, 'stored' | 'find' | 'create' | 'update'>;
  schema: SiteSchema;
  items: Pick<Items, 'index' | 'write'>;
  now(): Date;
  newId(): string;
}

/** Returns the id of the item. */
export type Propose = (proposal: Proposal, writer: AiWriter) => Promise<string>;

export function createPropose({ content, schema, items, now, newId }: ProposeParts): Propose {
  function getDocument({ collection, slug, ifMatch }: Proposal) {
    if (slug === undefined) return undefined;
    const document = content.stored(collection, { slug });
    const answer = content.find(collection, { slug });
    if (!document || !answer) throw notFound(`document "${collection}/${slug}"`);
    if (ifMatch !== undefined && ifMatch !== answer.etag) {
      throw new ServiceError('precondition_failed', 'the document has changed since; read it again', {
        headers: { etag: answer.etag },
      });
    }
    return { document, etag: answer.etag };
  }

  return async (proposal, writer) => {
    const { collection, data, alternatives = [], change = {} } = proposal;
    const checks = schema.collections.get(collection);
    if (!checks) throw notFound(`collection "${collection}"`);
    const all = [data, ...alternatives];
    // What names no status is published when it is approved.
    const problems =
      (change.status ?? 'published') === 'published' ? all.flatMap((one) => checks.check(one, Object.keys(one))) : [];
    if (problems.length > 0) throw invalid(problems);
    if (all.every((one) => Object.keys(one).length === 0) && Object.keys(change).length === 0) {
      throw invalid([{ path: 'data', message: 'must have a field' }]);
    }
    const found = getDocument(proposal);
    const names = [...new Set(all.flatMap(Object.keys))];
    const skippedFields = found ? lockedFields(found.document, names, { ...writer.actor, kind: 'ai' }) : [];
    if (names.length > 0 && skippedFields.length === names.length) {
      const details = skippedFields.map((field) => ({ path: `data.${field}`, message: 'is locked' }));
      throw new ServiceError('fields_locked', `every field is locked: ${skippedFields.join(', ')}`, { details });
    }
    for (const one of all) await tryWrite(content, proposal, without(one, skippedFields), found?.document, writer);
    const item: CurationItem = {
      ...toWriterFields(writer),
      id: newId(),
      collection,
      slug: found?.document.slug ?? change.slug ?? null,
      documentId: found?.document.id ?? null,
      baseEtag: found?.etag ?? null,
      title: toTitle({ ...found?.document.data, ...data }, found?.document.slug ?? collection),
      status: 'ready',
      data: without(data, skippedFields),
      alternatives: alternatives.map((one) => without(one, skippedFields)),
      base: toBase(found?.document, names),
      change,
      editedFields: [],
      skippedFields,
      leftOutFields: [],
      reason: writer.reason?.trim() || null,
      feedback: null,
      createdAt: now().toISOString(),
      decidedAt: null,
      decidedBy: null,
      documentUrl: null,
    };
    if (Buffer.byteLength(JSON.stringify(item)) > MAX_ITEM_BYTES) {
      throw new ServiceError('too_large', `an item of the queue has at most ${MAX_ITEM_BYTES} bytes`);
    }
    const { ready, in_review } = (await items.index()).counts();
    if (ready + in_review >= MAX_WAITING) {
      throw conflict(`the curation queue has ${MAX_WAITING} items that wait; approve or reject some first`);
    }
    await items.write(item);
    return item.id;
  };
}

/**
 * The write that the item stands for, without its commit: its slug, locale, source and group are checked too, so that the
 * item can be approved, at least as a draft. What a new document still lacks is for the person who publishes it.
 */
async function tryWrite(
  content: ProposeParts['content'],
  { collection, change = {} }: Proposal,
  data: Data,
  document: StoredDocument | undefined,
  writer: AiWriter,
): Promise<void> {
  const { draftsOnly: _, ...actor } = { ...writer.actor, kind: 'ai' as const };
  if (document) {
    await content.update(collection, { id: document.id }, { ...change, data }, actor, { dryRun: true });
  } else await content.create(collection, toCreate(data, change), actor, { dryRun: true });
}

/** A new document has no time to clear. */
export function toCreate(data: Data, { publishAt, unpublishAt, ...change }: ItemChange): CreateInput {
  return { data, ...change, ...(publishAt ? { publishAt } : {}), ...(unpublishAt ? { unpublishAt } : {}) };
}

function toWriterFields({ actor, agent, used }: AiWriter) {
  return {
    agentId: agent?.id ?? null,
    agentName: agent?.name ?? actor.aiModel ?? actor.name,
    costUsd: used?.costUsd ?? null,
    tokens: used ? used.inputTokens + used.outputTokens : null,
    model: actor.aiModel ?? null,
  };
}

export function toBase(document: StoredDocument | undefined, fields: readonly string[]): Data {
  if (!document) return {};
  const known = fields.filter((field) => Object.hasOwn(document.data, field));
  return Object.fromEntries(known.map((field) => [field, document.data[field]]));
}

function without(data: Data, fields: readonly string[]): Data {
  return Object.fromEntries(Object.entries(data).filter(([field]) => !fields.includes(field)));
}
