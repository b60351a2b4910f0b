// The types of a site's documents as the text of a TypeScript file: what infer.ts infers for those who import the
// configuration, for those who do not. Pure; the file imports nothing.
import { pascalCase, uniqueName } from '../lib/text/type-name.ts';
import type { BlockConfig, CollectionConfig, FieldConfig, FieldType, SiteConfig } from './site-config.ts';

const RICH_TEXT = `/** Rich text of a block editor (ProseMirror, TipTap); Markdown is a string. */
export interface RichTextDocument {
  type: 'doc';
  attrs?: Record<string, unknown> | null;
  content?: RichTextNode[];
}

export interface RichTextNode {
  type: string;
  text?: string;
  attrs?: Record<string, unknown> | null;
  marks?: { type: string; attrs?: Record<string, unknown> | null }[];
  content?: RichTextNode[];
}
`;

const COMMON = `/** What every document has besides its data. */
export interface DocumentKeys {
  id: string;
  slug: string;
  status: 'draft' | 'published' | 'archived';
  translationOf?: string;
  translationGroup?: string;
  /** ISO 8601, absent when nothing is scheduled. */
  publishAt?: string;
  unpublishAt?: string;
  createdAt: string;
  updatedAt: string;
  /** The documents that \`include=\` names, by \`collection/slug\`. */
  included?: Record<string, AnyDocument>;
}

export type CollectionName = keyof Collections;

/** A document of one collection, or of any. */
export type AnyDocument<Name extends CollectionName = CollectionName> = Collections[Name];

/** The answer of \`GET /api/cms/{collection}\`. */
export interface DocumentList<Name extends CollectionName> {
  documents: Collections[Name][];
  total: number;
  included?: Record<string, AnyDocument>;
}

/** Data of a draft, such as a preview shows: whatever is required may still be missing. */
export type DraftOf<Value> = Value extends string | { type: 'doc' }
  ? Value
  : Value extends readonly (infer Item)[]
    ? DraftOf<Item>[]
    : Value extends object
      ? { [Key in keyof Value as Key extends '_block' ? Key : never]: Value[Key] } & {
          [Key in keyof Value as Key extends '_block' ? never : Key]?: DraftOf<Value[Key]> | null;
        }
      : Value;
`;

/** Names of the types above; a collection or block whose types would have one of them gets a number. */
const OWN_NAMES = [
  'AnyDocument',
  'CollectionName',
  'Collections',
  'DocumentKeys',
  'DocumentList',
  'DraftOf',
  'Record',
  'RichTextDocument',
  'RichTextNode',
];

const GALLERY = '{ url: string; alt?: string | null }[]';
const MAP = '{ lat: number; lng: number; address?: string | null; zoom?: number | null }';
const OBJECT = 'Record<string, unknown>';

type Print = string | ((field: FieldConfig, printer: Printer, indent: string) => string);

const VALUES: Record<FieldType, Print> = {
  text: 'string',
  textarea: 'string',
  htmldoc: 'string',
  interactive: 'string',
  form: 'string',
  email: 'string',
  url: 'string',
  color: 'string',
  date: 'string',
  image: 'string',
  video: 'string',
  audio: 'string',
  file: 'string',
  richtext: 'string | RichTextDocument',
  number: 'number',
  boolean: 'boolean',
  tags: 'string[]',
  'image-gallery': GALLERY,
  'column-slots': OBJECT,
  map: MAP,
  json: 'unknown',
  select: (field) => many(field, union((field.options ?? []).map(optionType))),
  relation: (field) => many(field, 'string'),
  object: (field, printer, indent) => (field.fields ? printer.object(field.fields, indent) : OBJECT),
  array: (field, printer, indent) => (field.fields ? listOf(printer.object(field.fields, indent)) : 'string[]'),
  blocks: (field, printer) => listOf(printer.blocks(field.blocks)),
};

interface Printer {
  object(fields: readonly FieldConfig[], indent: string): string;
  blocks(names: readonly string[] | undefined): string;
}

interface PrintedNames {
  collection: CollectionConfig;
  data: string;
  document: string;
}

/** A whole file. Equal configurations give equal texts, so that it can be committed and compared. */
export function printTypes(config: SiteConfig): string {
  const taken = new Set(OWN_NAMES);
  const collections = config.collections.map((collection): PrintedNames => {
    const [data, document] = ['Data', 'Document'].map((end) => typeName(collection.name, end, taken)) as [
      string,
      string,
    ];
    return { collection, data, document };
  });
  const blockNames = new Map(config.blocks.map(({ name }) => [name, typeName(name, 'Block', taken)]));
  const printer = createPrinter(blockNames);
  const body = [
    COMMON,
    RICH_TEXT,
    printIndex(collections),
    ...collections.flatMap((names) => [
      printer.type(names.data, names.collection.fields, describeCollection(names.collection)),
      printDocument(names, config),
    ]),
    ...config.blocks.map((block) => printer.blockType(block)),
  ];
  return `// Written by \`colophon types\` from the site's configuration. Do not edit: write it again after a change of that.\n\n${body.join('\n')}`;
}

function typeName(name: string, end: string, taken: Set<string>): string {
  const pascal = pascalCase(name);
  const own = uniqueName(`${/^[0-9]/.test(pascal) ? '_' : ''}${pascal}${end}`, (candidate) => taken.has(candidate));
  taken.add(own);
  return own;
}

function printIndex(collections: readonly PrintedNames[]): string {
  const lines = collections.map(({ collection, document }) => `  ${propertyKey(collection.name)}: ${document};\n`);
  return `/** The documents of each collection. */\nexport interface Collections {\n${lines.join('')}}\n`;
}

function printDocument({ collection, data, document }: PrintedNames, config: SiteConfig): string {
  const locales = collection.locales ?? config.locales;
  return `export interface ${document} extends DocumentKeys {
  collection: ${quote(collection.name)};
  locale?: ${locales.length > 0 ? union(locales.map(quote)) : 'string'};
  data: ${data};
}
`;
}

interface FilePrinter extends Printer {
  type(name: string, fields: readonly FieldConfig[], comment: readonly string[]): string;
  blockType(block: BlockConfig): string;
}

function createPrinter(blockNames: ReadonlyMap<string, string>): FilePrinter {
  const printer: FilePrinter = {
    object(fields, indent) {
      if (fields.length === 0) return OBJECT;
      return `{\n${properties(fields, `${indent}  `)}${indent}}`;
    },
    blocks(names) {
      if (blockNames.size === 0) return `{ _block: string } & ${OBJECT}`;
      return union([...new Set(names ?? blockNames.keys())].map((name) => blockNames.get(name) ?? 'never'));
    },
    type(name, fields, comment) {
      const head = printComment(comment, '');
      if (fields.length === 0) return `${head}export type ${name} = ${OBJECT};\n`;
      return `${head}export interface ${name} {\n${properties(fields, '  ')}}\n`;
    },
    blockType({ name, label, fields }) {
      const head = printComment(label === undefined ? [] : [label], '');
      const key = `  _block: ${quote(name)};\n`;
      return `${head}export interface ${blockNames.get(name)} {\n${key}${properties(fields, '  ')}}\n`;
    },
  };
  const properties = (fields: readonly FieldConfig[], indent: string): string =>
    fields
      .map((field) => {
        const print = VALUES[field.type];
        const value = typeof print === 'string' ? print : print(field, printer, indent);
        const type = field.required ? `: ${value}` : `?: ${value} | null`;
        return `${printComment(describeField(field), indent)}${indent}${propertyKey(field.name)}${type};\n`;
      })
      .join('');
  return printer;
}

function describeCollection({ label, description }: CollectionConfig): string[] {
  return [label, description].filter((line) => line !== undefined);
}

/** Its label, its help, and what its values point to. */
function describeField({ name, label, ui, type, collection, multiple }: FieldConfig): string[] {
  const own = label?.toLowerCase() === name.toLowerCase() ? undefined : label;
  const lines = [own, ui?.help].filter((line) => line !== undefined);
  if (type === 'relation') lines.push(`${multiple ? 'Slugs' : 'Slug'} in \`${collection}\`.`);
  return lines;
}

/** A comment cannot be closed from inside, and each line of a text stays in it. */
function printComment(texts: readonly string[], indent: string): string {
  const lines = texts
    .flatMap((text) => text.split(/[\r\n\u2028\u2029]+/))
    .map((line) => line.replaceAll('*/', '*\\/').trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join('')}${indent} */\n`;
}

function optionType(option: NonNullable<FieldConfig['options']>[number]): string {
  const value = typeof option === 'object' ? option.value : option;
  return typeof value === 'string' ? quote(value) : String(value);
}

function union(types: readonly string[]): string {
  return types.length > 0 ? [...new Set(types)].join(' | ') : 'never';
}

function listOf(type: string): string {
  return /^(\w+|'[^']*'|\{.*\}|Record<[^>]*>)$/s.test(type) ? `${type}[]` : `(${type})[]`;
}

function many({ multiple }: FieldConfig, type: string): string {
  return multiple ? listOf(type) : type;
}

function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name);
}

/** A string literal in single quotes. */
function quote(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
