// What a document points to: documents that its relations name, and addresses that its rich text links to. Pure, and
// linear in the text: links in Markdown and HTML are found by how they begin, so that one in a code block counts too.
import type { BlockConfig, FieldConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { itemFields } from '../../schema/texts.ts';

export interface Pointer {
  /** `people/ines` of a relation, `/people/ines/` of a link. */
  key: string;
  /** Dotted path of the field: `author`, `parts.0.by`. */
  field: string;
}

type Blocks = ReadonlyMap<string, BlockConfig>;

/** Each key once for each field. */
export function collectPointers(data: object, fields: readonly FieldConfig[], blocks: Blocks): Pointer[] {
  const found = new Map<string, Pointer>();
  const note = (key: string, field: string): void => void found.set(`${field}\n${key}`, { key, field });
  collectFields(data, fields, '');
  return [...found.values()];

  function collectFields(values: object, of: readonly FieldConfig[], under: string): void {
    for (const field of of) {
      const value = Object.hasOwn(values, field.name) ? (values as Record<string, unknown>)[field.name] : undefined;
      if (value !== undefined && value !== null) collectField(value, field, `${under}${field.name}`);
    }
  }

  function collectField(value: unknown, field: FieldConfig, path: string): void {
    if (field.type === 'relation') {
      for (const slug of [value].flat()) if (typeof slug === 'string') note(`${field.collection}/${slug}`, path);
    } else if (field.type === 'richtext') {
      for (const link of typeof value === 'string' ? linksOf(value) : nodeLinks(value)) {
        const key = toAddress(link);
        if (key !== undefined) note(key, path);
      }
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (isObject(item)) collectFields(item, itemFields(item, field, blocks), `${path}.${index}.`);
      }
    } else if (field.type === 'object' && isObject(value)) collectFields(value, field.fields ?? [], `${path}.`);
  }
}

/** `](/a)`, `[name]: /a`, `href="/a"`. */
const LINK = /(?:\]\(|\]:|\bhref=)[ \t]{0,8}["'<]?(\/[^\s"'<>()]{0,2048})/gi;

function* linksOf(text: string): Generator<string> {
  for (const [, link] of text.matchAll(LINK)) yield link!;
}

/** Every `href` in a ProseMirror document, at any depth. */
function* nodeLinks(root: unknown): Generator<string> {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const node = left.pop();
    if (Array.isArray(node)) for (const one of node) left.push(one);
    if (!isObject(node)) continue;
    if (isObject(node.attrs) && typeof node.attrs.href === 'string') yield node.attrs.href;
    left.push(node.content, node.marks);
  }
}

/** The path of a link on this site, with a slash at its end; undefined for a link to anywhere else. */
export function toAddress(link: string): string | undefined {
  if (!link.startsWith('/') || link.startsWith('//')) return undefined;
  const [path = ''] = link.split(/[?#]/, 1);
  return path.endsWith('/') ? path : `${path}/`;
}
