// What a document points to: documents that its relations name, addresses that its rich text links to, and media files
// in fields, rich text and HTML. Pure, and linear in the text: links in Markdown and HTML are found by how they begin, so that one in a code block counts too.
import type { BlockConfig, FieldConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { itemFields } from '../../schema/texts.ts';

export interface Pointer {
  /** `people/ines` of a relation, `/people/ines/` of a link, `/uploads/images/a.png` of a media file. */
  key: string;
  /** Dotted path of the field: `author`, `parts.0.by`. */
  field: string;
}

type Blocks = ReadonlyMap<string, BlockConfig>;

/** Each key once for each field. */
export function collectPointers(data: object, fields: readonly FieldConfig[], blocks: Blocks): Pointer[] {
  const found = new Map<string, Pointer>();
  const note = (key: string, field: string): void => void found.set(`${field}\n${key}`, { key, field });
  const noteMedia = (link: string, path: string): void => {
    const key = toMediaKey(link);
    if (key !== undefined) note(key, path);
  };
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
        const key = toMediaKey(link) ?? toAddress(link);
        if (key !== undefined) note(key, path);
      }
    } else if (MEDIA_FIELDS.has(field.type)) {
      for (const link of mediaLinks(value)) noteMedia(link, path);
    } else if (HTML_FIELDS.has(field.type)) {
      for (const link of typeof value === 'string' ? linksOf(value) : []) noteMedia(link, path);
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        if (isObject(item)) collectFields(item, itemFields(item, field, blocks), `${path}.${index}.`);
      }
    } else if (field.type === 'object' && isObject(value)) collectFields(value, field.fields ?? [], `${path}.`);
  }
}

export const MEDIA_FIELDS: ReadonlySet<string> = new Set(['image', 'image-gallery', 'video', 'audio', 'file']);
export const HTML_FIELDS: ReadonlySet<string> = new Set(['htmldoc', 'interactive']);
const UPLOADS = '/uploads/';

/** Addresses in a field of a media file, or of a gallery. */
function* mediaLinks(value: unknown): Generator<string> {
  for (const one of [value].flat()) {
    const link = isObject(one) ? one.url : one;
    if (typeof link === 'string') yield link;
  }
}

/** `](/a)`, `[name]: /a`, `href="/a"`, `src="/a"`. The link is the end of the match. */
export const LINK = /(?:\]\(|\]:|\b(?:href|src|poster)=)[ \t]{0,8}["'<]?(\/[^\s"'<>()]{0,2048})/gi;

function* linksOf(text: string): Generator<string> {
  for (const [, link] of text.matchAll(LINK)) yield link!;
}

/** Every `href` and `src` in a ProseMirror document, at any depth. */
function* nodeLinks(root: unknown): Generator<string> {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const node = left.pop();
    if (Array.isArray(node)) for (const one of node) left.push(one);
    if (!isObject(node)) continue;
    const attrs = isObject(node.attrs) ? node.attrs : {};
    for (const link of [attrs.href, attrs.src]) if (typeof link === 'string') yield link;
    left.push(node.content, node.marks);
  }
}

/** The path of a link on this site, with a slash at its end; undefined for a link to anywhere else. */
export function toAddress(link: string): string | undefined {
  if (!link.startsWith('/') || link.startsWith('//')) return undefined;
  const [path = ''] = link.split(/[?#]/, 1);
  return path.endsWith('/') ? path : `${path}/`;
}

export function isMediaKey(key: string): boolean {
  return key.startsWith(UPLOADS);
}

/** The media file that a link names, whatever its variant, with the site if the link names one. */
export function toMediaKey(link: string): string | undefined {
  if (!link.startsWith(UPLOADS)) return undefined;
  const [address = ''] = link.split('#', 1);
  const [path = '', query = ''] = address.split('?', 2);
  const site = new URLSearchParams(query).get('site');
  return site === null ? path : `${path}?site=${encodeURIComponent(site)}`;
}
