// The types of documents' `data`, inferred from a configuration by TypeScript alone. Types only; what they promise is
// what the schema checks of published documents.

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

export interface TypedConfig {
  readonly collections: readonly { readonly name: string; readonly fields: readonly TypedField[] }[];
  readonly blocks?: readonly TypedBlock[] | undefined;
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
  richtext: string | { type: 'doc'; content?: unknown[] };
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
            ? FieldsData<G, Blocks>
            : Record<string, unknown>
          : T extends 'array'
            ? F extends { readonly fields: infer G extends readonly TypedField[] }
              ? FieldsData<G, Blocks>[]
              : string[]
            : T extends 'blocks'
              ? BlockValue<AllowedBlock<F, Blocks>, Blocks>[]
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

/** The names of the collections; any string for a configuration whose names are not literal types. */
export type CollectionNames<C extends TypedConfig> = C['collections'][number]['name'];

/** What a published document of the collection has as `data`. */
export type CollectionData<C extends TypedConfig, Name extends CollectionNames<C>> =
  Extract<C['collections'][number], { readonly name: Name }> extends {
    readonly fields: infer F extends readonly TypedField[];
  }
    ? string extends F[number]['name']
      ? Record<string, unknown>
      : FieldsData<F, C['blocks']>
    : Record<string, unknown>;
