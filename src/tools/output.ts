// What tools return, as far as a client needs to rely on it. The shapes are open: a document has its own fields.
import { z } from 'zod';

const Item = z.looseObject({});
const Total = z.int();
/** The offset of the next page; absent on the last one. */
const NextOffset = z.int().optional();

export const DocumentOutput = z.looseObject({
  id: z.string(),
  slug: z.string(),
  collection: z.string(),
  status: z.string(),
  data: Item,
});

export const ReadOutput = z.looseObject({ document: DocumentOutput, etag: z.string() });

/** A write answers with what is stored now, or with the item of the queue that waits for a person. */
export const WrittenOutput = z.looseObject({
  document: DocumentOutput.optional(),
  etag: z.string().optional(),
  skippedFields: z.array(z.string()).optional(),
  warnings: z.array(Item).optional(),
  queued: z.string().optional(),
});

export const QueuedOutput = z.looseObject({ queued: z.string() });
export const ItemOutput = z.looseObject({ item: Item });

/** A page of items under a key of its own. */
export function pageOutput(key: string): z.ZodObject {
  return z.looseObject({ [key]: z.array(Item), total: Total, nextOffset: NextOffset });
}

export function listOutput(key: string): z.ZodObject {
  return z.looseObject({ [key]: z.array(Item) });
}

/** The offset of the next page as a property, or nothing on the last page. */
export function nextPage(offset: number, count: number, total: number): { nextOffset?: number } {
  return offset + count < total ? { nextOffset: offset + count } : {};
}
