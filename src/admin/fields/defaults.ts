// What the service puts into a new document for what it leaves out, so that the form shows what is stored. Pure.
import type { BlockInfo, FieldInfo } from '../config/manifest.ts';

type Values = Readonly<Record<string, unknown>>;

/** A null is a value. An object that is absent is not made for the sake of the defaults in it. */
export function withDefaults(
  values: Values,
  fields: readonly FieldInfo[] = [],
  blocks: readonly BlockInfo[] = [],
): Record<string, unknown> {
  const filled = { ...values };
  for (const field of fields) {
    const { name, type, defaultValue } = field;
    const value = values[name] === undefined ? (defaultValue ?? undefined) : values[name];
    const fill = (one: unknown): unknown => {
      if (typeof one !== 'object' || one === null) return one;
      const block = type === 'blocks' ? blocks.find(({ name }) => name === (one as Values)._block) : field;
      return withDefaults(one as Values, block?.fields, blocks);
    };
    if (Array.isArray(value) && (type === 'array' || type === 'blocks')) filled[name] = value.map(fill);
    else if (value !== undefined) filled[name] = type === 'object' ? fill(value) : value;
  }
  return filled;
}
