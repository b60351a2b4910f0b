// What a document points to: documents that its relations name, addresses that its rich text links to, and media files
// in fields, rich text and HTML. Pure, and linear in the text.
import type { BlockConfig, FieldConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { itemFields } from '../../schema/texts.ts';
import type { SiteLinks } from './site-links.ts';

export interface Pointer {
  /** `people/ines` of a relation, `/people/ines/` of a link, `/uploads/images/a.png` of a media file. */
  key: string;
  /** Dotted path of the field: `author`, `parts.0.by`. */
  field: string;
}

export interface PointerParts {
  blocks: ReadonlyMap<string, BlockConfig>;
  links: SiteLinks;
}

/** Each key once for each field. */
export function collectPointers(
  data: object,
  fields: readonly FieldConfig[],
  { blocks, links }: PointerParts,
): Pointer[] {
  const found = new Map<string, Pointer>();
  const note = (key: string, field: string): void => void found.set(`${field}\n${key}`, { key, field });
  const noteLink = (link: string, field: string, isMedia: boolean): void => {
    const path = links.split(link)?.path;
    const key = path && (toMediaKey(path) ?? (isMedia ? undefined : toAddress(path)));
    if (key) note(key, field);
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
      const found = typeof value === 'string' ? links.inMarkdown(value).map(({ link }) => link) : nodeLinks(value);
      for (const link of found) noteLink(link, path, false);
    } else if (MEDIA_FIELDS.has(field.type)) {
      for (const link of mediaLinks(value)) noteLink(link, path, true);
    } else if (HTML_FIELDS.has(field.type)) {
      if (typeof value === 'string') for (const { link } of links.inHtml(value)) noteLink(link, path, true);
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

/** A path from the root without query and fragment, with a slash at its end. */
export function toAddress(link: string): string {
  const [path = ''] = link.split(/[?#]/, 1);
  return path.endsWith('/') ? path : `${path}/`;
}

export function isMediaKey(key: string): boolean {
  return key.startsWith(UPLOADS);
}

/** The media file that a path from the root names, whatever its variant, with the site if the link names one. */
export function toMediaKey(link: string): string | undefined {
  if (!link.startsWith(UPLOADS)) return undefined;
  const [address = ''] = link.split('#', 1);
  const [path = '', query = ''] = address.split('?', 2);
  const site = new URLSearchParams(query).get('site');
  return site === null ? path : `${path}?site=${encodeURIComponent(site)}`;
}
