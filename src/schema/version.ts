// A short name for "how the views read documents": it differs when stored documents must be read anew.
import { createHash } from 'node:crypto';
import type { FieldConfig, SiteConfig } from '../config/site-config.ts';

/** Counted up when code in this folder reads the same document differently (other leaf texts, another order). */
const CODE_VERSION = 2;

/** Twelve hex digits; what only people see (labels, hints, locks, limits) does not change it. */
export function schemaVersion(config: SiteConfig): string {
  const meaning = {
    code: CODE_VERSION,
    collections: config.collections.map(({ name, fields, sharded }) => [name, fields.map(toMeaning), sharded === true]),
    blocks: config.blocks.map(({ name, fields }) => [name, fields.map(toMeaning)]),
    locales: [config.defaultLocale, config.locales],
  };
  return createHash('sha256').update(JSON.stringify(meaning)).digest('hex').slice(0, 12);
}

function toMeaning(field: FieldConfig): unknown[] {
  return [field.name, field.type, field.multiple === true, field.fields?.map(toMeaning) ?? null];
}
