// A collection as the other capabilities see it: compiled once from the configuration.
import type { BlockConfig, CollectionConfig, FieldConfig } from '../config/site-config.ts';
import type { Problem } from '../lib/errors.ts';

export interface CollectionSchema {
  name: string;
  label: string;
  config: CollectionConfig;
  fields: ReadonlyMap<string, FieldConfig>;
  /** JSON Schema 2020-12 of a published document's `data`. */
  jsonSchema: Record<string, unknown>;
  /**
   * Types, lengths, options and formats of the given top-level keys of `data`, nested values included; not `required`.
   * A published document has none of these problems.
   */
  check(data: Record<string, unknown>, keys: Iterable<string>): Problem[];
  /** Types alone, which bind every document: formats, limits and options may be wrong in a draft. */
  checkTypes(data: Record<string, unknown>, keys: Iterable<string>): Problem[];
  /** `data` with the default value of each field that it leaves out, nested ones included; a null is not left out. */
  withDefaults(data: Record<string, unknown>): Record<string, unknown>;
  /** Required fields that are missing or null, nested ones included (a published document must have none). */
  checkRequired(data: Record<string, unknown>): Problem[];
  /** Keys of `data` that no field has, nested ones included; `beside` are the keys that stand beside `data`. */
  unknownKeys(data: Record<string, unknown>, beside: readonly string[]): Problem[];
  /** The same entries in schema order, then insertion order; returns `data` itself if they already are. */
  ordered(data: Record<string, unknown>): Record<string, unknown>;
  /** Every leaf text of `data`, for search: strings, numbers, tags, rich text down to its leaf text nodes. */
  texts(data: Record<string, unknown>): string[];
  /** Top-level fields of type richtext, in their order: the first one's text is below the front matter of a Markdown file. */
  textFields: readonly string[];
  /** Top-level fields of which no two documents may have the same value. */
  unique: readonly string[];
  /** The locales that its documents may have (none: any), and the one of documents that name none. */
  locales: { all: readonly string[]; default: string | undefined };
  /** Top-level fields whose values are scalars that lists commonly sort by (text, number, boolean, date, select). */
  sortable: readonly string[];
}

/** A block as `GET /api/schema` shows it. */
export interface BlockSchema {
  name: string;
  label: string;
  config: BlockConfig;
  /** JSON Schema 2020-12 of one block of a published document. */
  jsonSchema: Record<string, unknown>;
}

/** All collections of a site. */
export interface SiteSchema {
  collections: ReadonlyMap<string, CollectionSchema>;
  blocks: ReadonlyMap<string, BlockSchema>;
  /** The address of the published site (`build.baseUrl`), if it has one. */
  baseUrl?: string | undefined;
  /** Changes if the views may have to read stored documents differently. */
  version: string;
}
