// A document as the service answers it, and the places of one that an editor changes.
import type { Problem } from '../api/client.ts';

export type DocumentStatus = 'draft' | 'published' | 'archived';

export interface StoredDocument {
  id: string;
  slug: string;
  collection: string;
  status: DocumentStatus;
  locale?: string;
  translationOf?: string;
  translationGroup?: string;
  publishAt?: string;
  unpublishAt?: string;
  createdAt: string;
  updatedAt: string;
  data: Readonly<Record<string, unknown>>;
  /** Only in the answer of a write: what readers would not see, and what keeps it from being published. */
  warnings?: readonly Problem[];
}

/** What is changed and merged as a whole: a key of `data` as `data.title`, or a key of the document. */
export type EditKey = `data.${string}` | 'slug' | 'locale' | 'translationOf';

const DATA = 'data.';

export function dataKey(name: string): EditKey {
  return `${DATA}${name}`;
}

/** The name of the field, or undefined for a key of the document. */
export function fieldNameOf(key: EditKey): string | undefined {
  return key.startsWith(DATA) ? key.slice(DATA.length) : undefined;
}

/** What has values under keys: a document, or some of its fields. */
export type Keyed = Pick<StoredDocument, 'data'> & { [key in 'slug' | 'locale' | 'translationOf']?: unknown };

/** Undefined if it is absent. */
export function readKey(document: Keyed | undefined, key: EditKey): unknown {
  if (!document) return undefined;
  const name = fieldNameOf(key);
  if (name === undefined) return document[key as 'slug' | 'locale' | 'translationOf'];
  return Object.hasOwn(document.data, name) ? document.data[name] : undefined;
}
