// Warnings for keys in the data of a write that no field has. They are stored: data may have more than the schema says.
import type { CollectionSchema } from '../../schema/collection.ts';
import type { WrittenDocument } from '../api.ts';
import { type Data, DOCUMENT_KEYS } from '../document.ts';

type Warned = Pick<WrittenDocument, 'warnings'>;

/** The answer to a write of `data`, with these warnings after its own. */
export function withKeyWarnings<W extends Warned>(schema: CollectionSchema, input: { data?: Data }, written: W): W {
  const unknown = input.data ? schema.unknownKeys(input.data, DOCUMENT_KEYS) : [];
  return unknown.length > 0 ? { ...written, warnings: [...(written.warnings ?? []), ...unknown] } : written;
}
