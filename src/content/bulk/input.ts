// The body and the answer of a bulk request. An operation is the body of its endpoint, and names its document.
import { z } from 'zod';
import { CreateDocumentBody, checkUnset, DocumentSchema, UpdateDocumentBody } from '../input.ts';

export const MAX_OPERATIONS = 500;

const target = {
  id: z.string().min(1).max(200).optional().meta({ description: 'id or slug of the document' }),
  ifMatch: z.string().min(1).max(1000).optional().meta({ description: 'ETag that the document must have' }),
};
const named = {
  ...target,
  slug: z.string().min(1).max(200).optional().meta({ description: 'the same, without `id`' }),
};

const CreateOperation = z.object({ op: z.literal('create'), ...CreateDocumentBody.shape });
const UpdateOperation = z
  .object({ op: z.literal('update'), ...target, ...UpdateDocumentBody.shape })
  .check(checkUnset)
  .meta({ description: 'without `id`, `slug` names the document; with it, `slug` is its new one' });

const BulkOperation = z
  .discriminatedUnion('op', [
    CreateOperation,
    UpdateOperation,
    z.object({ op: z.literal('delete'), ...named }),
    z.object({ op: z.literal('publish'), ...named }),
    z.object({ op: z.literal('unpublish'), ...named }),
  ])
  .check(({ value, issues }) => {
    if (value.op !== 'create' && value.id === undefined && value.slug === undefined) {
      issues.push({ code: 'custom', input: value, path: ['id'], message: 'name the document by id or slug' });
    }
  });

export const BulkBody = z
  .object({
    operations: z.array(BulkOperation).min(1).max(MAX_OPERATIONS),
    atomic: z.boolean().optional().meta({ description: 'one commit, or nothing if an operation is refused' }),
  })
  .meta({ id: 'BulkBody' });

export type BulkOperationInput = z.output<typeof BulkOperation>;

export const BulkResults = z
  .object({
    results: z.array(
      z.object({
        status: z.int(),
        document: DocumentSchema.optional(),
        etag: z.string().optional(),
        skippedFields: z.array(z.string()).optional(),
        error: z.string().optional(),
        code: z.string().optional(),
        details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      }),
    ),
  })
  .meta({ id: 'BulkResults' });
