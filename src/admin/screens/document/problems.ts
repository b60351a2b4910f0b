// What is wrong with a document, for the list above the form and for the fields. Pure.
import type { Problem } from '../../api/client.ts';
import { type BlockInfo, type CollectionInfo, type FieldInfo, labelOf } from '../../config/manifest.ts';
import { t } from '../../text/translate.ts';

export interface FieldProblem {
  /** `data.sections.2.text` */
  path: string;
  /** "Sections 3, Words: expected text" is said of a field within an item. */
  text: string;
  message: string;
}

export interface ProblemParts {
  collection: Pick<CollectionInfo, 'fields'>;
  blocks: readonly BlockInfo[];
  /** The values on the screen, which say what kind of block each is. */
  data: Readonly<Record<string, unknown>>;
}

/** The service names values as `data.items[2].name` or `data.items.2.name`. */
export function toProblems(details: readonly Problem[], parts: ProblemParts): FieldProblem[] {
  return details.map(({ path: given, message: said }) => {
    const path = given.replace(/\[(\d+)\]/g, '.$1');
    const message = unknownBlock(path, parts) ?? said;
    return { path, message: sentence(message), text: `${placeOf(path, parts)}: ${message}` };
  });
}

/** What one can do about a block whose type left the configuration; the service lists the types that are left. */
function unknownBlock(path: string, { blocks, data }: ProblemParts): string | undefined {
  const [, ...keys] = path.split('.');
  if (keys.at(-1) !== '_block') return undefined;
  const name = keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], data);
  if (typeof name !== 'string' || blocks.some((block) => block.name === name)) return undefined;
  return t('problems.unknownBlock', { name });
}

/** As far as the way is known: "Sections 3, Words". */
function placeOf(path: string, { collection, blocks, data }: ProblemParts): string {
  const [root, ...keys] = path.split('.');
  if (root !== 'data' || !collection.fields.some(({ name }) => name === keys[0])) return path;
  const places: string[] = [];
  let fields: readonly FieldInfo[] = collection.fields;
  let field: FieldInfo | undefined;
  let value: unknown = data;
  for (const [at, key] of keys.entries()) {
    value = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
    if (isIndex(key)) {
      places.push(`${places.pop()}${isIndex(keys[at - 1]) ? '.' : ' '}${Number(key) + 1}`);
      const { _block } = (value ?? {}) as { _block?: unknown };
      fields = blocks.find(({ name }) => name === _block)?.fields ?? field?.fields ?? [];
      continue;
    }
    const next = fields.find(({ name }) => name === key) ?? ownField(field, key);
    if (!next) continue;
    field = next;
    fields = field.fields ?? [];
    places.push(labelOf(field));
  }
  return places.join(', ');
}

function isIndex(key: string | undefined): boolean {
  return key !== undefined && /^\d+$/.test(key);
}

/** What values of a type consist of, whatever the configuration says. */
function ownField(field: FieldInfo | undefined, name: string): FieldInfo | undefined {
  const label = OWN_FIELDS[`${field?.type} ${name}`];
  return label && { name, type: 'text', label: t(label) };
}

const OWN_FIELDS: Readonly<Record<string, 'map.lat' | 'map.lng' | 'map.zoom' | 'map.address' | 'media.alt'>> = {
  'map lat': 'map.lat',
  'map lng': 'map.lng',
  'map zoom': 'map.zoom',
  'map address': 'map.address',
  'image-gallery alt': 'media.alt',
};

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
