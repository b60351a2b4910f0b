// The bodies and queries of the content routes. HTTP and MCP parse them, OpenAPI describes them. Keys that the service
// decides (`id`, `createdAt`, `_fieldMeta`, ...) are ignored in a body, as the contract says.
import { z } from 'zod';
import { anyObject } from '../lib/any-object.ts';
import { isLocale } from '../lib/text/locale.ts';
import { isPlainName } from '../lib/text/plain-name.ts';
import { slugProblem } from '../lib/text/slug.ts';
import { DateTimeInput } from '../lib/time/date-time-input.ts';
import { STATUSES } from './document.ts';
import { FilterValue, MAX_FILTERS } from './lists/filter.ts';

const StatusInput = z.enum(STATUSES);

const SlugInput = z
  .string()
  .check((check) => {
    const problem = slugProblem(check.value);
    if (problem) check.issues.push({ code: 'custom', input: check.value, message: problem });
  })
  .meta({
    description: 'URL-friendly, unique within the collection',
    pattern: '^[a-z0-9][a-z0-9._-]*$',
    maxLength: 200,
  });

const LocaleInput = z
  .string()
  .refine(isLocale, 'expected a BCP 47 language tag such as en or pt-BR')
  .meta({ description: 'BCP 47 language tag' });

export const DataInput = anyObject().check((check) => {
  if (Object.hasOwn(check.value, '_fieldMeta')) {
    check.issues.push({
      code: 'custom',
      input: check.value,
      path: ['_fieldMeta'],
      message: 'is not a data field; use the _fieldMeta endpoints',
    });
  }
});

const common = {
  slug: SlugInput.optional(),
  status: StatusInput.optional().meta({
    description:
      '`published` publishes; content:write is enough for that, also in the `create` and `update` of a bulk request. With content:draft it is 403',
  }),
  locale: LocaleInput.optional(),
  translationOf: z.string().min(1).optional().meta({ description: 'slug of the source document' }),
  translationGroup: z.uuid().optional().meta({ description: 'shared by a document and its translations' }),
  publishAt: DateTimeInput.nullable().optional().meta({
    description:
      'scheduled publication; null clears it. A future time with changes of a published document is 409 `draft_needed`',
  }),
  unpublishAt: DateTimeInput.nullable().optional().meta({ description: 'scheduled withdrawal; null clears it' }),
};

export const CreateDocumentBody = z.object({ data: DataInput, ...common }).meta({ id: 'CreateDocumentBody' });
const UnsetInput = z.array(z.string().min(1).max(200)).max(1000).meta({
  description:
    'keys of `data` to remove with what is known of who wrote them; none of them may be in the `data` of the request. A key that the document does not have is passed over: 200, and a commit as for every accepted change. Whole keys only: `a.b` is 400, unless `data` has a key of that very name',
});

interface UnsetCheck {
  value: { data?: Record<string, unknown> | undefined; unset?: string[] | undefined };
  issues: z.core.$ZodRawIssue[];
}

/** A key is set or removed, not both. */
export function checkUnset({ value, issues }: UnsetCheck): void {
  value.unset?.forEach((key, index) => {
    if (!value.data || !Object.hasOwn(value.data, key)) return;
    const message = `"${key}" is in data too: send a value, or remove the key`;
    issues.push({ code: 'custom', input: value, path: ['unset', index], message });
  });
}

export const UpdateDocumentBody = z
  .object({
    data: DataInput.optional(),
    unset: UnsetInput.optional(),
    updateReferences: z.boolean().optional().meta({
      description: 'with a new `slug`: relations and links of other documents name it, in the same commit',
    }),
    ...common,
  })
  .check(checkUnset)
  .meta({ id: 'UpdateDocumentBody' });

export const WriteQueryInput = z.object({
  dryRun: z.enum(['true', 'false']).optional().meta({
    description:
      '`true`: nothing is stored; the answer is what would be (its `id` is made up), or all problems at once',
  }),
});

const UserIdInput = z
  .string()
  .min(1)
  .max(200)
  .refine(isPlainName, 'must not hold control characters or marks that turn the direction of writing')
  .optional();
export const LockFieldBody = z
  .object({ userId: UserIdInput, reason: z.string().max(1000).optional() })
  .meta({ id: 'LockFieldBody' });
export const LockAllBody = z.object({ userId: UserIdInput }).meta({ id: 'LockAllBody' });

/** A list's query as the programmatic interface accepts it; over HTTP it is text (list-query.ts). */
export const ListQueryValues = z.strictObject({
  status: z.enum([...STATUSES, 'all']).optional(),
  locale: LocaleInput.optional(),
  limit: z.int().min(1).optional(),
  offset: z.int().min(0).optional(),
  orderBy: z.string().min(1).optional(),
  order: z.enum(['asc', 'desc']).optional(),
  q: z.string().optional(),
  missingLocale: LocaleInput.optional(),
  scheduled: z.literal(true).optional(),
  tags: z.array(z.string()).optional(),
  fields: z.array(z.string()).optional(),
  filter: z.array(FilterValue).max(MAX_FILTERS).optional(),
  include: z.array(z.string()).optional(),
});

// What the routes answer.

export const WarningsSchema = z
  .array(z.object({ path: z.string(), message: z.string() }))
  .optional()
  .meta({
    description:
      'what a published document points to and readers cannot see; what keeps a document from being published that is not; keys of `data` that no field has',
  });

const NameWarningsSchema = WarningsSchema.meta({
  description: 'names in `orderBy`, `fields` and `filter` that neither a document nor the schema has, with the nearest',
});

const DateTime = z.iso.datetime();

export const DocumentSchema = z
  .object({
    id: z.string(),
    slug: z.string(),
    collection: z.string(),
    status: StatusInput,
    locale: z.string().optional(),
    translationOf: z.string().optional(),
    translationGroup: z.string().optional(),
    publishAt: DateTime.optional(),
    unpublishAt: DateTime.optional(),
    createdAt: DateTime,
    updatedAt: DateTime,
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Document' });

export const IncludedSchema = z
  .record(z.string(), DocumentSchema)
  .optional()
  .meta({ description: 'with `include`: the documents that relations name, each once, by `<collection>/<slug>`' });

export const WrittenSchema = z.intersection(
  DocumentSchema,
  z.object({ skippedFields: z.array(z.string()).optional(), warnings: WarningsSchema }),
);

export const WithIncludedSchema = z.intersection(DocumentSchema, z.object({ included: IncludedSchema }));

export const DocumentListSchema = z
  .object({
    documents: z.array(DocumentSchema),
    total: z.int(),
    included: IncludedSchema,
    warnings: NameWarningsSchema,
  })
  .meta({ id: 'DocumentList' });

/** More than a choice of tags shows. */
export const MOST_TAGS = 1000;
const Count = z.int().min(0);

export const FacetsSchema = z
  .object({
    total: Count,
    status: z
      .object({ draft: Count, published: Count, archived: Count })
      .meta({ description: 'whatever `status` and `scheduled` ask for' }),
    locale: z
      .record(z.string(), Count)
      .meta({ description: 'by language tag, whatever `locale` asks for; a document without one has the default' }),
    tags: z
      .array(z.object({ value: z.string(), count: Count }))
      .meta({ description: `the most used first, ${MOST_TAGS} at most` }),
    scheduled: Count.meta({ description: 'whatever `status` and `scheduled` ask for' }),
    warnings: NameWarningsSchema,
  })
  .meta({ id: 'Facets' });

export const ReferencesSchema = z
  .object({
    references: z.array(z.object({ collection: z.string(), slug: z.string(), title: z.string(), field: z.string() })),
    total: z.int(),
  })
  .meta({ id: 'References' });

/** The refusal of a deletion with `ifUnreferenced`. */
export const StillReferencedSchema = z.object({
  error: z.string(),
  code: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  ...ReferencesSchema.partial().shape,
});

export const FieldMetaSchema = z
  .object({
    lockedBy: z.enum(['user', 'ai', 'import']).optional(),
    lockedAt: DateTime.optional(),
    userId: z.string().optional(),
    reason: z.string().optional(),
    aiGenerated: z.boolean().optional(),
    aiGeneratedAt: DateTime.optional(),
    aiModel: z.string().optional(),
  })
  .meta({ id: 'FieldMeta' });

export const DocumentFieldMetaSchema = z.record(z.string(), FieldMetaSchema).meta({ id: 'DocumentFieldMeta' });
