// Puts the default values of fields into the data of a new document, wherever an object leaves a field out. An object
// that is left out itself is not made for the sake of the defaults in it.
import type { BlockConfig, FieldConfig } from '../config/site-config.ts';
import { isObject } from '../lib/json.ts';
import { itemFields } from './texts.ts';

type Blocks = ReadonlyMap<string, BlockConfig>;
type Values = Record<string, unknown>;

/** Returns `data` itself if nothing is to be filled in, and never changes it. */
export function fillDefaults(data: Values, fields: readonly FieldConfig[], blocks: Blocks): Values {
  let filled = data;
  const set = (name: string, value: unknown): void => {
    if (filled === data) filled = { ...data };
    filled[name] = value;
  };
  for (const field of fields) {
    const { name, defaultValue } = field;
    if (!Object.hasOwn(data, name)) {
      if (defaultValue !== undefined && defaultValue !== null)
        set(name, fillNested(clone(defaultValue), field, blocks));
      continue;
    }
    const value = fillNested(data[name], field, blocks);
    if (value !== data[name]) set(name, value);
  }
  return filled;
}

function fillNested(value: unknown, field: FieldConfig, blocks: Blocks): unknown {
  if (field.type === 'object') return isObject(value) ? fillDefaults(value, field.fields ?? [], blocks) : value;
  if (!(field.type === 'array' && field.fields) && field.type !== 'blocks') return value;
  if (!Array.isArray(value)) return value;
  const items = value.map((item) =>
    isObject(item) ? fillDefaults(item, itemFields(item, field, blocks), blocks) : item,
  );
  return items.some((item, index) => item !== value[index]) ? items : value;
}

/** The configuration is frozen and shared. */
function clone(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
