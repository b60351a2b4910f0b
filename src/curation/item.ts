// An item of the curation queue: what a model wants to write, as it is stored, one file each (decisions.md, section 11,
// "Curation states"). The keys of a file are in the schema's order.
import { z } from 'zod';
import { STATUSES } from '../content/document.ts';
import { anyObject } from '../lib/any-object.ts';
import { parseStoredJson } from '../lib/stored-json.ts';
import { toDigest } from '../lib/version-tag.ts';

export const ITEM_STATUSES = ['ready', 'in_review', 'approved', 'rejected', 'published'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

const Values = anyObject();
const Person = z.object({ id: z.string().nullable(), name: z.string() });

/** What the item changes besides `data`. */
const ItemChange = z.object({
  slug: z.string().optional(),
  status: z.enum(STATUSES).optional(),
  locale: z.string().optional(),
  translationOf: z.string().optional(),
  translationGroup: z.string().optional(),
  publishAt: z.string().nullable().optional(),
  unpublishAt: z.string().nullable().optional(),
});

export const CurationItem = z
  .object({
    id: z.string(),
    agentId: z.string().nullable().meta({ description: 'null if chat, an MCP client or generation proposed it' }),
    agentName: z.string(),
    collection: z.string(),
    slug: z.string().nullable().meta({ description: 'null while it has no document' }),
    documentId: z.string().nullable(),
    baseEtag: z.string().nullable().meta({ description: 'ETag of the document that the model saw' }),
    title: z.string(),
    status: z.enum(ITEM_STATUSES),
    data: Values.meta({ description: 'the proposed fields' }),
    alternatives: z.array(Values).meta({ description: 'other proposals for the same fields' }),
    base: Values.meta({ description: 'the same fields in the document when they were proposed, or edited' }),
    change: ItemChange.meta({ description: 'proposed changes of the document besides its data' }),
    editedFields: z.array(z.string()).meta({ description: 'fields that a person has edited' }),
    skippedFields: z.array(z.string()).meta({ description: 'proposed fields that are locked' }),
    leftOutFields: z
      .array(z.string())
      .default([])
      .meta({ description: 'proposed fields that its approver did not take over' }),
    reason: z.string().nullable().default(null).meta({ description: 'why the model proposes it, in its own words' }),
    costUsd: z.number().nullable(),
    tokens: z.int().nullable(),
    model: z.string().nullable(),
    feedback: z.string().nullable(),
    createdAt: z.iso.datetime(),
    decidedAt: z.iso.datetime().nullable(),
    decidedBy: Person.nullable(),
    documentUrl: z.string().nullable().meta({ description: 'path of the page, once the document is written' }),
  })
  .meta({ id: 'CurationItem' });

export type CurationItem = z.output<typeof CurationItem>;
export type ItemChange = CurationItem['change'];

/** Parses a file; returns undefined if it is not an item. */
export function parseItem(text: string): CurationItem | undefined {
  return parseStoredJson(CurationItem, text);
}

/** The time in 12 hex digits, so that ids sort by time, and 64 random bits. No other text is looked up on the disk. */
const ID = /^[0-9a-f]{12}-[0-9a-f]{16}$/;

export function isItemId(text: string): boolean {
  return ID.test(text);
}

export function toItemId(atMs: number, random: Buffer): string {
  return `${atMs.toString(16).padStart(12, '0')}-${random.toString('hex').slice(0, 16)}`;
}

export function itemEtag(item: CurationItem): string {
  // In the schema's order, as the file has it.
  return `"${toDigest(CurationItem.parse(item))}"`;
}

export function isDecided({ status }: Pick<CurationItem, 'status'>): boolean {
  return status !== 'ready' && status !== 'in_review';
}

export function toTitle(data: Readonly<Record<string, unknown>>, otherwise: string): string {
  const found = [data.title, data.name].find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? found.slice(0, 200).toWellFormed() : otherwise;
}
