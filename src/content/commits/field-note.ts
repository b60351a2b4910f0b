// What a field takes, in one line for people who write a document's file. Pure.
import type { FieldConfig } from '../../config/site-config.ts';

const MAX_CHARS = 200;
const LISTS: ReadonlySet<string> = new Set(['tags', 'array', 'blocks', 'image-gallery', 'column-slots']);
const TEXTS: ReadonlySet<string> = new Set(['text', 'textarea', 'email', 'url', 'richtext']);

export function toFieldNote(field: FieldConfig): string {
  const parts = [kindOf(field), ...(field.required ? ['required'] : []), ...boundsOf(field)];
  const note = parts.join(', ').replace(/\s+/g, ' ');
  return note.length > MAX_CHARS ? `${note.slice(0, MAX_CHARS)}...` : note;
}

function kindOf({ type, collection, multiple, options = [] }: FieldConfig): string {
  if (type === 'relation') {
    return multiple
      ? `relation, a list of slugs in ${collection}`
      : `relation, the slug of a document in ${collection}`;
  }
  if (type === 'select') {
    const values = options.map((option) => (typeof option === 'object' ? option.value : option));
    return `${multiple ? 'select, a list of' : 'select, one of'} ${values.join(' | ')}`;
  }
  return LISTS.has(type) ? `${type}, a list` : type;
}

function boundsOf({ type, minLength, maxLength, min, max }: FieldConfig): string[] {
  const what = TEXTS.has(type) ? ' characters' : LISTS.has(type) ? ' items' : '';
  const [least, most] = [minLength ?? min, maxLength ?? max];
  return [
    ...(least === undefined ? [] : [`at least ${least}${what}`]),
    ...(most === undefined ? [] : [`at most ${most}${what}`]),
  ];
}
