// Queries, bodies and answers of the media routes.
import { z } from 'zod';
import { CommaList, Limit, Offset, Order } from '../lib/query.ts';
import { MEDIA_ORDERS } from './list-media.ts';
import { MEDIA_TYPES } from './media.ts';

const ALT_CHARACTERS = 2000;
const TAG_CHARACTERS = 100;
const MAX_TAGS = 100;
/** names.ts says what fits. */
const NAME_CHARACTERS = 1000;

const PlainText = z.string().regex(/^[^\0]*$/, 'must not contain a NUL character');
const AltInput = PlainText.max(ALT_CHARACTERS);
const TagsInput = z
  .array(PlainText.trim().min(1).max(TAG_CHARACTERS))
  .max(MAX_TAGS)
  .transform((tags) => [...new Set(tags)]);

export const MediaListQuery = z.object({
  folder: z.string().optional().meta({ description: 'files in this folder, not below it' }),
  type: z.enum(MEDIA_TYPES).optional(),
  q: z.string().max(1000).optional().meta({ description: 'terms of name, folder, alt text and tags; all must match' }),
  tags: CommaList.optional().meta({ description: 'comma-separated; all of them must match' }),
  orderBy: z
    .enum(MEDIA_ORDERS)
    .optional()
    .meta({ description: 'createdAt if absent; `folder` sorts by folder and name' }),
  order: Order.optional().meta({ description: 'if absent, desc for createdAt and asc for the others' }),
  limit: Limit.optional().meta({ description: 'every match if absent' }),
  offset: Offset.optional(),
});

export const MediaFoldersSchema = z
  .object({
    folders: z.array(
      z.object({
        folder: z.string().meta({ description: 'empty for files beside the folders' }),
        files: z.int().meta({ description: 'directly in it' }),
        filesBelow: z.int().meta({ description: 'in folders below it' }),
      }),
    ),
  })
  .meta({ id: 'MediaFolders' });

export const ChangeMediaBody = z
  .object({
    alt: AltInput.nullable()
      .optional()
      .transform((alt) => (alt === null ? '' : alt))
      .meta({ type: ['string', 'null'], maxLength: ALT_CHARACTERS }),
    tags: TagsInput.nullable()
      .optional()
      .transform((tags) => (tags === null ? [] : tags))
      .meta({ type: ['array', 'null'], items: { type: 'string' } }),
    folder: z.string().max(NAME_CHARACTERS).optional().meta({ description: 'moves the file there' }),
    name: z
      .string()
      .max(NAME_CHARACTERS)
      .optional()
      .meta({ description: 'renames the file; with the extension, which has to fit its bytes' }),
    updateReferences: z.boolean().optional().meta({
      description:
        'with a new `folder` or `name`: documents that point to the file name its new address, in the same commit; takes content:draft',
    }),
  })
  .meta({ id: 'ChangeMediaBody' });

const REFERENCES_PAGE = 100;

export const MediaReferencesQuery = z.object({
  limit: Limit.default(REFERENCES_PAGE).meta({ description: `${REFERENCES_PAGE} if absent` }),
  offset: Offset.optional(),
});

const TypeSchema = z.enum(MEDIA_TYPES);
const Sha256 = z.string().meta({ description: '64 hex digits' });

export const MediaFileSchema = z
  .object({
    name: z.string(),
    url: z.string(),
    folder: z.string(),
    size: z.int().meta({ description: 'bytes' }),
    type: TypeSchema,
    alt: z.string(),
    tags: z.array(z.string()),
    width: z.int().optional(),
    height: z.int().optional(),
    createdAt: z.iso.datetime().optional().meta({ description: 'absent if the file was pushed without it' }),
    sha256: Sha256,
  })
  .meta({ id: 'MediaFile' });

export const ChangedMediaSchema = z.intersection(
  MediaFileSchema,
  z.object({
    warnings: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({ description: 'documents that still point to the address that the file has left; at most 100' }),
  }),
);

export const MediaListSchema = z.object({ files: z.array(MediaFileSchema), total: z.int() }).meta({ id: 'MediaList' });

export const UploadSchema = z
  .object({
    url: z.string(),
    filename: z.string(),
    size: z.int(),
    type: TypeSchema,
    width: z.int().optional(),
    height: z.int().optional(),
    sha256: Sha256,
  })
  .meta({ id: 'Upload' });
