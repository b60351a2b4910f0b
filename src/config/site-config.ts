// The shape of cms.config: every key of every level, as zod schemas, and the types that the rest of the service uses.
// It describes the shape of single values; rules.ts has what connects them (names, relations, defaults). The guide's
// reference of keys is made of the descriptions.
import { z } from 'zod';
import { AiSchema } from './ai-config.ts';
import { BuildSchema } from './build-config.ts';
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

/** An option of a select; a bare string or number stands for its own label. */
const Option = z.union([
  z.string(),
  z.number(),
  z.strictObject({
    label: Text.describe('What people read.'),
    value: z.union([z.string(), z.number()]).describe('What documents hold.'),
  }),
]);

const PatternSchema = z.strictObject({
  value: z
    .string()
    .min(1)
    .max(1000)
    .describe(
      'A regular expression that a value must match somewhere; `^` and `$` make it the whole value: `^[0-9]{13}$`.',
    ),
  message: Text.optional().describe('What to say of a value that does not match, such as `An ISBN has 13 digits`.'),
});

const OptionValue = z.union([z.string(), z.number(), z.boolean()]);

/** Hints for forms; no check and no answer depends on them. */
const FieldUiSchema = z.strictObject({
  help: z.string().optional().describe('A sentence that the form shows with the field.'),
  placeholder: z.string().optional().describe('What an empty input shows.'),
  width: z
    .enum(['full', 'half', 'third', 'quarter'])
    .optional()
    .describe('How much of the row the field takes; `full` if absent.'),
  tab: Text.optional().describe('The tab that the field is in; fields of one tab stand together.'),
  showIf: z
    .union([
      FieldName,
      z.strictObject({
        field: FieldName.describe('The name of a field beside this one.'),
        equals: OptionValue.optional().describe('Shown while the other field has this value.'),
        in: z.array(OptionValue).min(1).optional().describe('Shown while the other field has one of these values.'),
        exists: z
          .boolean()
          .optional()
          .describe('`true`: shown while the other field has a value; `false`: while it has none.'),
      }),
    ])
    .optional()
    .describe(
      'Shows the field only while the one named beside it has a value, or this: `{ field: "kind", equals: "essay" }`.',
    ),
  readOnly: z.boolean().optional().describe('Shows the value in the form without letting people change it.'),
  hidden: z.boolean().optional().describe('Leaves the field out of the form.'),
});

/** Hints for lists and menus. */
const CollectionUiSchema = z.strictObject({
  icon: Text.optional().describe(
    'The name of an icon of the admin UI for the menu, such as `book` or `calendar`; `posts` if absent.',
  ),
  singular: Text.optional().describe('What one document is called, such as `Post`; the label if absent.'),
  titleField: FieldName.optional().describe(
    'The field that a document is known by in lists, search and history; `title`, then `name`, then the slug if absent.',
  ),
  columns: z
    .array(FieldName)
    .optional()
    .describe('Fields, and keys of the document such as `status`, that the list shows.'),
  sort: z
    .union([
      z.string().regex(/^-?[\p{L}_$][\p{L}\p{N}_$-]*$/u, 'expected a key, with "-" before it for descending order'),
      z.strictObject({
        orderBy: FieldName.describe('A field, or a key of the document such as `updatedAt`.'),
        order: z.enum(['asc', 'desc']).optional().describe('The direction; `desc` if absent.'),
      }),
    ])
    .optional()
    .describe('The order of the list: `date`, `-date` (descending), or an object; `-updatedAt` if absent.'),
  group: Text.optional().describe('The heading in the menu; collections of one group stand together.'),
});

const FieldSchema = z.strictObject({
  name: FieldName.describe('The key in a document’s `data`, such as `title`.'),
  type: z.enum(FIELD_TYPES).describe('What values the field takes.'),
  label: Text.optional().describe('What people read instead of the name.'),
  required: z
    .boolean()
    .optional()
    .describe('Whether a published document must have a value; a draft may lack it. `false` if absent.'),
  defaultValue: z.unknown().optional().describe('The value that a new document gets if it has none of its own.'),
  minLength: Count.optional().describe('The least number of characters of a text, or of items of a list.'),
  maxLength: Count.optional().describe('The greatest number of characters of a text, or of items of a list.'),
  min: z.number().optional().describe('The least number; on a list, of items.'),
  max: z.number().optional().describe('The greatest number; on a list, of items.'),
  options: z
    .array(Option)
    .optional()
    .describe('The values that a `select` offers, such as `["essay", "notes"]`; it needs at least one.'),
  collection: z.string().optional().describe('The collection that a `relation` points to; a relation needs it.'),
  multiple: z
    .boolean()
    .optional()
    .describe('Whether a `select` or `relation` holds a list of values. `false` if absent.'),
  get fields() {
    return z
      .array(FieldSchema)
      .optional()
      .describe('The fields of an `object`, or of each item of an `array`; without it, an array holds texts.');
  },
  blocks: z
    .array(z.string())
    .optional()
    .describe('Names of the blocks that a `blocks` field accepts; if absent, every block of the site.'),
  ai: z
    .strictObject({
      hint: z.string().optional().describe('What the prompt says about the field.'),
      maxLength: Count.optional().describe(
        'The most characters that the prompt asks for, if fewer than the field’s `maxLength`.',
      ),
      tone: z.string().optional().describe('The tone that the prompt asks for, such as `friendly`.'),
    })
    .optional()
    .describe('What a model reads before it writes the field.'),
  aiLock: z
    .strictObject({
      autoLockOnEdit: z
        .boolean()
        .optional()
        .describe('Whether a person’s edit of a value that a model wrote locks it. `true` if absent.'),
      lockable: z.boolean().optional().describe('Whether the field can be locked at all. `true` if absent.'),
      requireApproval: z
        .boolean()
        .optional()
        .describe('A note in the manifest for other tools; the service itself does nothing with it.'),
    })
    .optional()
    .describe('How the field is locked against changes by a model; only fields of the collection itself have locks.'),
  unique: z
    .boolean()
    .optional()
    .describe(
      'No two documents of the collection have the same value; translations of one document may. `false` if absent.',
    ),
  pattern: PatternSchema.optional().describe('A regular expression for the field’s texts.'),
  ui: FieldUiSchema.optional().describe('Hints for forms; no check depends on them.'),
});

const BlockSchema = z.strictObject({
  name: ConfigName.describe('What the block is called in fields and in the `_block` key of documents.'),
  label: Text.optional().describe('What people read instead of the name.'),
  fields: z.array(FieldSchema).describe('The fields of a block, as those of a collection; none can be `unique`.'),
});

const CollectionSchema = z.strictObject({
  name: CollectionName.describe(
    'The collection’s part of API addresses and its folder below `content/`, such as `posts`.',
  ),
  label: Text.optional().describe('What people read, such as `Posts`; made from the name if absent.'),
  slug: Text.optional().describe(
    'The `slug` of the collection in schema and manifest, for other tools; the name if absent.',
  ),
  urlPrefix: z
    .string()
    .optional()
    .describe(
      'The path of the collection’s own page and of its documents’ pages below it, such as `/journal`. ' +
        'Without it and `urlPattern` they have no pages.',
    ),
  urlPattern: z
    .string()
    .optional()
    .describe(
      'The path of one document, `<urlPrefix>/:slug` if absent: `/journal/:year/:slug`. ' +
        'Placeholders: `:slug`, `:id`, `:locale`, `:year`, `:month`, `:day` and the name of a field.',
    ),
  parentField: z
    .string()
    .optional()
    .describe('The relation field that names a document’s parent page, below whose path it is: `/manual/setup/linux`.'),
  kind: z
    .enum(COLLECTION_KINDS)
    .optional()
    .describe(
      'What documents are; `page` if absent. Only pages have addresses; the admin UI opens a `global` as one document.',
    ),
  description: z
    .string()
    .optional()
    .describe(
      'What the collection is for: shown above its list, and part of the prompt when a model writes a document.',
    ),
  fields: z.array(FieldSchema).describe('The fields of its documents.'),
  translatable: z
    .boolean()
    .optional()
    .describe('`true` shows a document’s translations in the admin UI; with `false` no model translates it.'),
  locales: z
    .array(z.string())
    .optional()
    .describe('The locales that its documents may have; those of the site if absent.'),
  access: z
    .strictObject({
      read: z
        .literal('public')
        .optional()
        .describe('`public` lets everybody read its published documents without a token.'),
    })
    .optional()
    .describe('Who may read the collection besides those with a permission; nobody if absent.'),
  sharded: z
    .boolean()
    .optional()
    .describe(
      'Spreads the files over 256 folders, `content/posts/aa/hello.json`, for large collections. `false` if absent.',
    ),
  format: z
    .enum(['json', 'markdown'])
    .optional()
    .describe('How new documents are stored: `json`, the default, or `markdown` with fields as front matter.'),
  buildKeys: z
    .array(z.string().min(1).max(200))
    .optional()
    .describe(
      'Keys of its documents that a build command gets beside the fields. All others stand below `extra` for it, ' +
        'because build tools take some keys, such as `permalink` or `eleventyComputed`, for settings and run code in them: ' +
        'list only what everybody who may write a document may set.',
    ),
  ui: CollectionUiSchema.optional().describe('Hints for lists and menus; no check depends on them.'),
});

const RemoteSchema = z.strictObject({
  url: HttpUrl.describe('The repository’s address, without credentials: `https://github.com/me/site.git`.'),
  branch: Text.default('main').describe('The branch of the remote that is kept in step.'),
  tokenEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable')
    .optional()
    .describe('Name of the environment variable that holds the git host’s token, never the token itself.'),
  push: z.boolean().default(true).describe('`false` only fetches: nothing is sent to the remote.'),
  lfs: z
    .boolean()
    .default(true)
    .describe('`false` keeps the bytes of media here: neither sent to the host’s Git LFS nor fetched from there.'),
});

export const SiteConfigSchema = z.strictObject({
  collections: z.array(CollectionSchema).describe('The kinds of documents that the site has.'),
  blocks: z.array(BlockSchema).default([]).describe('The parts that fields of type `blocks` are put together from.'),
  defaultLocale: z
    .string()
    .optional()
    .describe('The locale of documents that name none, such as `en`; one of `locales`.'),
  locales: z
    .array(z.string())
    .default([])
    .describe('The locales that documents may have, as BCP 47 tags: `["en", "de-AT"]`.'),
  forms: z.array(FormSchema).default([]).describe('The forms that visitors can send.'),
  build: BuildSchema.optional().describe('How the site is built.'),
  api: z
    .strictObject({
      publicRead: z
        .boolean()
        .default(false)
        .describe('Lets everybody read published documents, the schema and search without a token.'),
      cors: z
        .union([z.literal('*'), z.array(Origin)])
        .optional()
        .describe(
          'Origins, such as `["https://www.example.com"]`, or all (`*`), whose pages may read from browsers what ' +
            'they may read, files at `/uploads` too; never with cookies. Those that are listed may also post the public forms.',
        ),
    })
    .prefault({})
    .describe('Who may read without a token, and from which pages.'),
  ai: AiSchema.optional().describe('The language model that writes, translates and chats; without it these are off.'),
  remote: RemoteSchema.optional().describe(
    'A repository on a git host that the content’s repository is kept in step with.',
  ),
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
