// The shape of cms.config: every key of every level, as zod schemas, and the types that the rest of the service uses.
// It describes the shape of single values; rules.ts has what connects them (names, relations, defaults).
import { z } from 'zod';
import { FormSchema } from './form-config.ts';
import { CollectionName, ConfigName, Count, FieldName, HttpUrl, Origin, Text } from './scalars.ts';

export const FIELD_TYPES = [
  'text',
  'textarea',
  'richtext',
  'number',
  'boolean',
  'date',
  'image',
  'video',
  'audio',
  'file',
  'image-gallery',
  'tags',
  'select',
  'relation',
  'array',
  'object',
  'blocks',
  'column-slots',
  'map',
  'htmldoc',
  'interactive',
  'form',
  'email',
  'url',
  'color',
  'json',
] as const;

export const COLLECTION_KINDS = ['page', 'snippet', 'data', 'form', 'global'] as const;

export const DOCKER_PRESETS = [
  'php',
  'laravel',
  'python',
  'django',
  'ruby',
  'rails',
  'go',
  'hugo',
  'node',
  'dotnet',
] as const;

/** An option of a select; a bare string or number stands for its own label. */
const Option = z.union([
  z.string(),
  z.number(),
  z.strictObject({ label: Text, value: z.union([z.string(), z.number()]) }),
]);

/** A regular expression that a value must match somewhere (anchors make it the whole value), and what to say if not. */
const PatternSchema = z.strictObject({ value: z.string().min(1).max(1000), message: Text.optional() });

const OptionValue = z.union([z.string(), z.number(), z.boolean()]);

/** Hints for forms; no check and no answer depends on them. */
const FieldUiSchema = z.strictObject({
  help: z.string().optional(),
  placeholder: z.string().optional(),
  width: z.enum(['full', 'half', 'third', 'quarter']).optional(),
  /** Fields of one tab stand together. */
  tab: Text.optional(),
  /** The field is shown while a field beside it has a value, or one of these values. */
  showIf: z
    .union([
      FieldName,
      z.strictObject({
        field: FieldName,
        equals: OptionValue.optional(),
        in: z.array(OptionValue).min(1).optional(),
        exists: z.boolean().optional(),
      }),
    ])
    .optional(),
  readOnly: z.boolean().optional(),
  hidden: z.boolean().optional(),
});

/** Hints for lists and menus. */
const CollectionUiSchema = z.strictObject({
  icon: Text.optional(),
  /** What one document is called. */
  singular: Text.optional(),
  titleField: FieldName.optional(),
  /** Fields, and keys of the document, that a list shows. */
  columns: z.array(FieldName).optional(),
  /** `date`, `-date` (descending), or as the query of a list. */
  sort: z
    .union([
      z.string().regex(/^-?[\p{L}_$][\p{L}\p{N}_$-]*$/u, 'expected a key, with "-" before it for descending order'),
      z.strictObject({ orderBy: FieldName, order: z.enum(['asc', 'desc']).optional() }),
    ])
    .optional(),
  /** Collections of one group stand together. */
  group: Text.optional(),
});

const FieldSchema = z.strictObject({
  name: FieldName,
  type: z.enum(FIELD_TYPES),
  label: Text.optional(),
  required: z.boolean().optional(),
  defaultValue: z.unknown().optional(),
  minLength: Count.optional(),
  maxLength: Count.optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  options: z.array(Option).optional(),
  /** The collection a relation points to. */
  collection: z.string().optional(),
  multiple: z.boolean().optional(),
  get fields() {
    return z.array(FieldSchema).optional();
  },
  /** Names of the blocks that a `blocks` field accepts; if absent, every block of the site. */
  blocks: z.array(z.string()).optional(),
  ai: z
    .strictObject({ hint: z.string().optional(), maxLength: Count.optional(), tone: z.string().optional() })
    .optional(),
  aiLock: z
    .strictObject({
      autoLockOnEdit: z.boolean().optional(),
      lockable: z.boolean().optional(),
      requireApproval: z.boolean().optional(),
    })
    .optional(),
  /** No two documents of the collection have the same value; translations of one document may. */
  unique: z.boolean().optional(),
  pattern: PatternSchema.optional(),
  ui: FieldUiSchema.optional(),
});

const BlockSchema = z.strictObject({
  name: ConfigName,
  label: Text.optional(),
  fields: z.array(FieldSchema),
});

const CollectionSchema = z.strictObject({
  name: CollectionName,
  label: Text.optional(),
  slug: Text.optional(),
  /** Path below which the collection's documents are published: `/journal`. */
  urlPrefix: z.string().optional(),
  /** Path of one document, with `:slug` and other placeholders: `/journal/:slug`. */
  urlPattern: z.string().optional(),
  /** The relation field that names a document's parent page. */
  parentField: z.string().optional(),
  kind: z.enum(COLLECTION_KINDS).optional(),
  description: z.string().optional(),
  fields: z.array(FieldSchema),
  translatable: z.boolean().optional(),
  locales: z.array(z.string()).optional(),
  access: z.strictObject({ read: z.literal('public').optional() }).optional(),
  sharded: z.boolean().optional(),
  ui: CollectionUiSchema.optional(),
});

const BuildSchema = z.strictObject({
  command: Text.optional(),
  outDir: Text.optional(),
  docker: z.union([z.enum(DOCKER_PRESETS), z.strictObject({ image: Text, workdir: Text.optional() })]).optional(),
  profiles: z
    .array(
      z.strictObject({
        name: ConfigName,
        command: Text.optional(),
        outDir: Text.optional(),
        description: z.string().optional(),
        /** Builds documents of every status; such a profile makes previews only. */
        drafts: z.boolean().optional(),
      }),
    )
    .optional(),
  defaultProfile: z.string().optional(),
  baseUrl: HttpUrl.optional(),
  siteName: z.string().optional(),
  /** `false` leaves the feed out; an object says what goes into it. */
  rss: z
    .union([
      z.boolean(),
      z.strictObject({
        title: Text.optional(),
        description: z.string().optional(),
        collections: z.array(z.string()).optional(),
        limit: z.int().min(1).optional(),
      }),
    ])
    .optional(),
  /**
   * `false` leaves robots.txt out; `maximum` lets every crawler in, `balanced` those that train no models, `restrictive`
   * none; any other string is its text.
   */
  robots: z.union([z.boolean(), z.string()]).optional(),
  /** Folder of the site's theme, relative to the configuration. */
  theme: Text.optional(),
  /** The network of a build container; it has none if absent. */
  dockerNetwork: Text.optional(),
  /** `false` leaves out the search of the built site. */
  search: z.boolean().default(true),
  /** `false` leaves out the redirects from earlier addresses of renamed documents. */
  redirects: z.boolean().default(true),
  env: z.record(z.string(), z.string()).optional(),
  timeout: z.int().min(1).max(900).default(300),
});

const Price = z.number().min(0);

const AiSchema = z.strictObject({
  provider: z.enum(['anthropic', 'openai', 'openai-compatible']).optional(),
  model: Text.optional(),
  baseURL: HttpUrl.optional(),
  price: z.strictObject({ inputPerMillion: Price, outputPerMillion: Price }).optional(),
  /** Seconds in all that one request may wait for the provider. */
  timeout: z.int().min(1).max(900).optional(),
  /** Limit for one answer. */
  maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
  /** Whether an `openai-compatible` server takes a JSON Schema. */
  structured: z.boolean().optional(),
});

const RemoteSchema = z.strictObject({
  url: HttpUrl,
  branch: Text.default('main'),
  /** Name of the environment variable that holds the git host's token; never the token. */
  tokenEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
    .optional(),
  push: z.boolean().default(true),
  /** `false` leaves the bytes of media where they are: neither sent to the host's Git LFS nor fetched from there. */
  lfs: z.boolean().default(true),
});

export const SiteConfigSchema = z.strictObject({
  collections: z.array(CollectionSchema),
  blocks: z.array(BlockSchema).default([]),
  defaultLocale: z.string().optional(),
  locales: z.array(z.string()).default([]),
  forms: z.array(FormSchema).default([]),
  build: BuildSchema.optional(),
  api: z
    .strictObject({
      publicRead: z.boolean().default(false),
      /** Pages of these origins, or of all (`*`), may read from browsers what they may read; never with cookies. */
      cors: z.union([z.literal('*'), z.array(Origin)]).optional(),
    })
    .prefault({}),
  ai: AiSchema.optional(),
  remote: RemoteSchema.optional(),
});

export type FieldType = (typeof FIELD_TYPES)[number];
export type CollectionKind = (typeof COLLECTION_KINDS)[number];

/** What an author writes; `defineConfig` accepts it. */
export type SiteConfigInput = z.input<typeof SiteConfigSchema>;
export type CollectionConfigInput = z.input<typeof CollectionSchema>;
export type BlockConfigInput = z.input<typeof BlockSchema>;

/** What the service works with: parsed, defaults filled in, checked and frozen. */
export type SiteConfig = z.output<typeof SiteConfigSchema>;
export type CollectionConfig = z.output<typeof CollectionSchema>;
export type FieldConfig = z.output<typeof FieldSchema>;
export type OptionConfig = z.output<typeof Option>;
export type BlockConfig = z.output<typeof BlockSchema>;
export type BuildConfig = z.output<typeof BuildSchema>;
export type AiConfig = z.output<typeof AiSchema>;
export type RemoteConfig = z.output<typeof RemoteSchema>;
