// A short name for how the views read documents: it changes if stored documents must be read again.
import { hash } from 'node:crypto';
import type { FieldConfig, SiteConfig } from '../config/site-config.ts';

/** Increment it when code in this folder reads the same document differently (other leaf texts, another order). */
const CODE_VERSION = 5;

/** Twelve hex digits; settings that only people see (labels, hints, locks, defaults) do not change it. */
export function schemaVersion(config: SiteConfig): string {
  const meaning = {
    code: CODE_VERSION,
    collections: config.collections.map(({ name, fields, sharded, ui }) => [
      ...[name, fields.map(toMeaning), sharded === true],
      // Search knows a document by it.
      ...(ui?.titleField === undefined ? [] : [ui.titleField]),
    ]),
    blocks: config.blocks.map(({ name, fields }) => [name, fields.map(toMeaning)]),
    locales: [config.defaultLocale, config.locales],
  };
  return hash('sha256', JSON.stringify(meaning)).slice(0, 12);
}

/** Includes limits, because the views know which documents do not fit and report them. */
function toMeaning({
  label: _,
  defaultValue: _2,
  ai: _3,
  aiLock: _4,
  ui: _5,
  unique: _6,
  fields,
  ...rest
}: FieldConfig): unknown[] {
  return [Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)), fields?.map(toMeaning) ?? null];
}
