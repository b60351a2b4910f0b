// Finds the required values that are missing. It checks only presence; the type check reports values of a wrong type.
// Together they equal the published JSON Schema.
import type { BlockConfig, FieldConfig } from '../config/site-config.ts';
import type { Problem } from '../lib/errors.ts';
import { ENOUGH_PROBLEMS } from './list-value.ts';
import { itemFields } from './texts.ts';

type Blocks = ReadonlyMap<string, BlockConfig>;

/** Keys that values of these types must always have, whatever the configuration says. */
const OWN_KEYS: Partial<Record<FieldConfig['type'], readonly string[]>> = {
  'image-gallery': ['url'],
  map: ['lat', 'lng'],
};

export function collectMissing(
  data: object,
  fields: readonly FieldConfig[],
  blocks: Blocks,
  path: string,
  problems: Problem[],
): void {
  for (const field of fields) {
    const value = Object.hasOwn(data, field.name) ? (data as Record<string, unknown>)[field.name] : undefined;
    const at = `${path}.${field.name}`;
    if (value === undefined || value === null) {
      if (field.required) problems.push({ path: at, message: 'a published document needs a value here' });
    } else if (typeof value === 'object') collectNested(value, field, blocks, at, problems);
  }
}

function collectNested(value: object, field: FieldConfig, blocks: Blocks, path: string, problems: Problem[]): void {
  const ownKeys = OWN_KEYS[field.type];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      if (problems.length >= ENOUGH_PROBLEMS) return;
      if (typeof item !== 'object' || item === null) continue;
      if (ownKeys) collectMissingKeys(item, ownKeys, `${path}.${index}`, problems);
      else collectMissing(item, itemFields(item, field, blocks), blocks, `${path}.${index}`, problems);
    }
  } else if (ownKeys) collectMissingKeys(value, ownKeys, path, problems);
  else if (field.type === 'object') collectMissing(value, field.fields ?? [], blocks, path, problems);
}

function collectMissingKeys(value: object, keys: readonly string[], path: string, problems: Problem[]): void {
  for (const key of keys) {
    const found = (value as Record<string, unknown>)[key];
    if (found === undefined || found === null) {
      problems.push({ path: `${path}.${key}`, message: 'a published document needs a value here' });
    }
  }
}
