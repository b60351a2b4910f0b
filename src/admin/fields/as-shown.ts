// A stored value in the words that its field shows: names of options and fields, yes and no, written dates. Pure.
import { type FieldInfo, labelOf } from '../config/manifest.ts';
import { t } from '../text/translate.ts';
import { toWritten } from './dates.ts';

/** Values of a type that this does not know stay as they are. */
export function asShown(value: unknown, field: FieldInfo | undefined): unknown {
  if (!field || value === undefined || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => asShown(one, field));
  if (typeof value === 'boolean' && field.type === 'boolean') return t(value ? 'list.yes' : 'list.no');
  if (typeof value === 'string' && field.type === 'date') return toWritten(value);
  const option = field.options?.find((one) => typeof one === 'object' && one.value === value);
  if (typeof option === 'object') return option.label;
  if (typeof value !== 'object' || !field.fields) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const known = field.fields?.find(({ name }) => name === key);
      return [known ? labelOf(known) : key, asShown(inner, known)];
    }),
  );
}
