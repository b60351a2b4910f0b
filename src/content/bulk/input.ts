// The body and the answer of a bulk request. An operation is the body of its endpoint, and names its document.
import { z } from 'zod';
import { CreateDocumentBody, checkUnset, DocumentSchema, UpdateDocumentBody, WarningsSchema } from '../input.ts';

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

const PUBLISHER = 'needs content:publish; an `update` with `status` does the same with content:write instead';

const BulkOperation = z
  .discriminatedUnion('op', [
    CreateOperation,
    UpdateOperation,
    z.object({ op: z.literal('delete'), ...named }),
    z.object({ op: z.literal('publish'), ...named }).meta({ description: PUBLISHER }),
    z.object({ op: z.literal('unpublish'), ...named }).meta({ description: PUBLISHER }),
  ])
  .check(({ value, issues }) => {
    if (value.op !== 'create' && value.id === undefined && value.slug === undefined) {
      issues.push({ code: 'custom', input: value, path: ['id'], message: 'name the document by id or slug' });
    }
  });

export const BulkBody = z
  .object({
    operations: z.array(BulkOperation).min(1).max(MAX_OPERATIONS).meta({
      description:
        'each needs the rights of its endpoint, that is content:write, or content:draft for what is not public; `publish` and `unpublish` need content:publish besides content:draft or content:write, and are 403 without it',
    }),
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
        warnings: WarningsSchema,
        error: z.string().optional(),
        code: z.string().optional(),
        details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      }),
    ),
  })
  .meta({ id: 'BulkResults' });
