// The body and the answer of a bulk request. An operation is the body of its endpoint, and names its document.
import { z } from 'zod';
import type { Problem } from '../../lib/errors.ts';
import { toProblems } from '../../lib/parse-input.ts';
import {
  CreateDocumentBody,
  checkUnset,
  DocumentSchema,
  ReferencesSchema,
  UpdateDocumentBody,
  WarningsSchema,
} from '../input.ts';

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
    z.object({
      op: z.literal('delete'),
      ...named,
      ifUnreferenced: z.boolean().optional().meta({
        description: '409 with `references` if another document points to this one',
      }),
    }),
    z
      .object({
        op: z.literal('restore'),
        ...named,
        commit: z.string().min(1).max(64).optional().meta({
          description: 'the version to restore, or the deletion; the last deletion if absent',
        }),
      })
      .meta({ description: 'brings a deleted document back, or an earlier version' }),
    z.object({ op: z.literal('publish'), ...named }).meta({ description: PUBLISHER }),
    z.object({ op: z.literal('unpublish'), ...named }).meta({ description: PUBLISHER }),
  ])
  .check(({ value, issues }) => {
    if (value.op !== 'create' && value.id === undefined && value.slug === undefined) {
      issues.push({ code: 'custom', input: value, path: ['id'], message: 'name the document by id or slug' });
    }
  });

/** An operation that is wrong in itself: it is refused in its place. */
export interface WrongOperation {
  op: 'wrong';
  problems: Problem[];
}

const OPS: ReadonlySet<unknown> = new Set(['create', 'update', 'delete', 'restore', 'publish', 'unpublish']);

/** Whatever is wrong besides `op` leaves the other operations of the request alone. */
const OperationInPlace = BulkOperation.catch((found) => {
  // A description of the API asks for what stands in the place of nothing.
  const { input, error } = found ?? {};
  const problems = toProblems(error?.issues ?? []);
  return { op: 'wrong', problems, isOperation: OPS.has((input as { op?: unknown } | null)?.op) } as never;
}).check(({ value, issues }) => {
  const { op, problems, isOperation } = value as unknown as WrongOperation & { isOperation: boolean };
  if (op !== 'wrong' || isOperation) return;
  for (const { path, message } of problems) {
    issues.push({ code: 'custom', input: value, path: path === '' ? [] : path.split('.'), message });
  }
});

export const BulkBody = z
  .object({
    operations: z.array(OperationInPlace).min(1).max(MAX_OPERATIONS).meta({
      description:
        'each needs the rights of its endpoint, that is content:write, or content:draft for what is not public; `publish` and `unpublish` need content:publish besides content:draft or content:write, and are 403 without it',
    }),
    atomic: z.boolean().optional().meta({ description: 'one commit, or nothing if an operation is refused' }),
  })
  .meta({ id: 'BulkBody' });

export type BulkOperationInput = z.output<typeof BulkOperation>;
export type OfferedOperation = BulkOperationInput | WrongOperation;

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
        references: ReferencesSchema.shape.references.optional().meta({
          description: 'with `ifUnreferenced`: who points to the document, the first of `total`',
        }),
        total: z.int().optional(),
      }),
    ),
  })
  .meta({ id: 'BulkResults' });
