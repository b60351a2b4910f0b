// Messages between a calling thread and the thread of the indexes. Every order has a number and gets one answer.
import type { BlockConfig, CollectionConfig } from '../config/site-config.ts';
import type { ErrorCode } from '../lib/errors.ts';
import type { IndexQuery } from './engine/text-index.ts';
import type { IndexChange } from './index-home.ts';

/** The part of a configuration that is needed to read texts. */
export interface TextSchema {
  collections: Pick<CollectionConfig, 'name' | 'fields' | 'ui'>[];
  blocks: BlockConfig[];
  defaultLocale?: string | undefined;
}

/** A saved file that may have the index; it is used only if it was saved at `commit`. */
export interface SavedIndexPlace {
  folder: string;
  version: string;
  commit: string;
}

/** Leaves out the rest of a configuration, which may have values that cannot cross between threads. */
export function toTextSchema({ collections, blocks, defaultLocale }: TextSchema): TextSchema {
  const known = collections.map(({ name, fields, ui }) => ({
    ...{ name, fields },
    ...(ui?.titleField === undefined ? {} : { ui: { titleField: ui.titleField } }),
  }));
  return { collections: known, blocks, defaultLocale };
}

/** Changes of one batch, with their bytes one after another in one buffer, which is transferred and not copied. */
export interface FlatChanges {
  keys: string[];
  /** -1 for an entry that is gone. */
  lengths: number[];
  bytes: Uint8Array<ArrayBuffer>;
}

export type IndexOrder =
  | { kind: 'open'; schema: TextSchema; saved: SavedIndexPlace | undefined }
  | { kind: 'put'; changes: FlatChanges }
  | { kind: 'query'; query: IndexQuery }
  /** `saving` is the number of the order that began it. */
  | { kind: 'save' }
  | { kind: 'piece'; saving: number }
  | { kind: 'end'; saving: number }
  | { kind: 'close' };

export type IndexMessage = IndexOrder & { id: number; index: number };

export type IndexAnswer = { id: number } & ({ result: unknown } | { error: { message: string; code?: ErrorCode } });

export function flattenChanges(changes: readonly IndexChange[]): FlatChanges {
  const lengths = changes.map(({ bytes }) => bytes?.length ?? -1);
  const bytes = new Uint8Array(lengths.reduce((sum, length) => sum + Math.max(length, 0), 0));
  let at = 0;
  for (const change of changes) {
    if (!change.bytes) continue;
    bytes.set(change.bytes, at);
    at += change.bytes.length;
  }
  return { keys: changes.map(({ key }) => key), lengths, bytes };
}

export function* unflattenChanges({ keys, lengths, bytes }: FlatChanges): Generator<IndexChange> {
  let at = 0;
  for (const [i, key] of keys.entries()) {
    const length = lengths[i]!;
    yield { key, bytes: length === -1 ? undefined : bytes.subarray(at, (at += length)) };
  }
}
