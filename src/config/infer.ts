// The types of documents' `data`, inferred from a configuration by TypeScript alone. Types only; what they promise is
// what the schema checks of published documents. print-types.ts writes the same as text.
import type { Document } from '../content/document.ts';

/** A configuration as far as types look at it. */
interface TypedField {
  readonly name: string;
  readonly type: string;
  readonly required?: boolean | undefined;
  readonly multiple?: boolean | undefined;
  readonly options?: readonly unknown[] | undefined;
  readonly fields?: readonly unknown[] | undefined;
  readonly blocks?: readonly string[] | undefined;
}

interface TypedBlock {
  readonly name: string;
  readonly fields: readonly TypedField[];
}

interface TypedCollection {
  readonly name: string;
  readonly fields: readonly TypedField[];
  readonly locales?: readonly string[] | undefined;
}

export interface TypedConfig {
  readonly collections: readonly TypedCollection[];
  readonly blocks?: readonly TypedBlock[] | undefined;
  readonly locales?: readonly string[] | undefined;
  readonly defaultLocale?: string | undefined;
}

type OptionValue<O> = O extends { readonly value: infer V } ? V : O;
type SelectValue<F> = F extends { readonly options: readonly (infer O)[] } ? OptionValue<O> : string | number;
type Many<F, V> = F extends { readonly multiple: true } ? V[] : V;

type BlockValue<B, Blocks> = B extends {
  readonly name: infer N;
  readonly fields: infer F extends readonly TypedField[];
}
  ? { _block: N } & FieldsData<F, Blocks>
  : never;
type AllowedBlock<F, Blocks> = Blocks extends readonly (infer B)[]
  ? F extends { readonly blocks: readonly (infer Name)[] }
    ? Extract<B, { readonly name: Name }>
    : B
  : never;

/** The value of a `blocks` field; without any block in the site, only the discriminator is checked. */
type AnyBlock<F, Blocks> = Blocks extends readonly [unknown, ...unknown[]]
  ? BlockValue<AllowedBlock<F, Blocks>, Blocks>
  : { _block: string } & Record<string, unknown>;

interface RichTextDoc {
  type: 'doc';
  attrs?: Record<string, unknown> | null;
  content?: RichTextDocNode[];
}

interface RichTextDocNode {
  type: string;
  text?: string;
  attrs?: Record<string, unknown> | null;
  marks?: { type: string; attrs?: Record<string, unknown> | null }[];
  content?: RichTextDocNode[];
}

interface PlainValues {
  text: string;
  textarea: string;
  htmldoc: string;
  interactive: string;
  form: string;
  email: string;
  url: string;
  color: string;
  date: string;
  image: string;
  video: string;
  audio: string;
  file: string;
  richtext: string | RichTextDoc;
  number: number;
  boolean: boolean;
  tags: string[];
  'image-gallery': { url: string; alt?: string | null }[];
  'column-slots': Record<string, unknown>;
  map: { lat: number; lng: number; address?: string | null; zoom?: number | null };
  json: unknown;
}

type FieldValue<F, Blocks> = F extends { readonly type: infer T }
  ? T extends keyof PlainValues
    ? PlainValues[T]
    : T extends 'select'
      ? Many<F, SelectValue<F>>
      : T extends 'relation'
        ? Many<F, string>
        : T extends 'object'
          ? F extends { readonly fields: infer G extends readonly TypedField[] }
            ? ObjectData<G, Blocks>
            : Record<string, unknown>
          : T extends 'array'
            ? F extends { readonly fields: infer G extends readonly TypedField[] }
              ? ObjectData<G, Blocks>[]
              : string[]
            : T extends 'blocks'
              ? AnyBlock<F, Blocks>[]
              : unknown
  : unknown;

type Required<F> = Extract<F, { readonly required: true }>;
type Named<F> = F extends { readonly name: infer N extends string } ? N : never;

/** Required fields are there; the others may be null or missing. */
type FieldsData<Fields extends readonly TypedField[], Blocks> = {
  [F in Required<Fields[number]> as Named<F>]: FieldValue<F, Blocks>;
} & {
  [F in Exclude<Fields[number], Required<Fields[number]>> as Named<F>]?: FieldValue<F, Blocks> | null;
};

/** An object without fields may have any key. */
type ObjectData<Fields extends readonly TypedField[], Blocks> = Fields extends readonly []
  ? Record<string, unknown>
  : FieldsData<Fields, Blocks>;

/** The names of the collections; any string for a configuration whose names are not literal types. */
export type CollectionNames<C extends TypedConfig> = C['collections'][number]['name'];

type ConfiguredLocale<L> = L extends readonly []
  ? never
  : L extends readonly (infer Tag extends string)[]
    ? Tag
    : never;
type OrString<T> = [T] extends [never] ? string : T;
type SiteLocale<C extends TypedConfig> = [ConfiguredLocale<C['locales']>] extends [never]
  ? C extends { readonly defaultLocale: infer Tag extends string }
    ? Tag
    : never
  : ConfiguredLocale<C['locales']>;
type CollectionOf<C extends TypedConfig, Name> = Extract<C['collections'][number], { readonly name: Name }>;

/** What a document of the collection may have as `locale`: one of the collection's, else of the site's. */
type CollectionLocale<C extends TypedConfig, Name extends CollectionNames<C>> = OrString<
  CollectionOf<C, Name> extends { readonly locales: infer L extends readonly string[] }
    ? ConfiguredLocale<L>
    : SiteLocale<C>
>;

/** What a published document of the collection has as `data`. */
export type CollectionData<C extends TypedConfig, Name extends CollectionNames<C>> =
  CollectionOf<C, Name> extends {
    readonly fields: infer F extends readonly TypedField[];
  }
    ? string extends F[number]['name']
      ? Record<string, unknown>
      : ObjectData<F, C['blocks']>
    : Record<string, unknown>;

/** A document of a collection; a draft may lack what is required. */
export type CmsDocument<C extends TypedConfig, Name extends CollectionNames<C>> = Omit<
  Document,
  'collection' | 'locale' | 'data'
> & { collection: Name; locale?: CollectionLocale<C, Name>; data: CollectionData<C, Name> };
