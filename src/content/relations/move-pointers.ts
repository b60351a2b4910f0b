// The data of a document after another document was renamed, or a media file moved: relations and links that named it
// name its new place. Pure; everything that does not change stays the same object.
import type { FieldConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { itemFields } from '../../schema/texts.ts';
import type { Data } from '../document.ts';
import { HTML_FIELDS, MEDIA_FIELDS, type PointerParts, toAddress, toMediaKey } from './pointers.ts';
import type { SiteLink } from './site-links.ts';

export type Move = DocumentMove | MediaMove;

export interface DocumentMove {
  collection: string;
  from: string;
  to: string;
  /** The addresses of its page, if it has one before and after. */
  address?: { from: string; to: string } | undefined;
}

export interface MediaMove {
  /** By which documents point to the file: its address, with and without its site. */
  keys: readonly string[];
  /** The path of its new address. */
  path: string;
}

/** The same object if nothing in it points to the document or the file. */
export function movePointers(
  data: Data,
  fields: readonly FieldConfig[],
  { blocks, links }: PointerParts,
  move: Move,
): Data {
  const isMedia = 'keys' in move;
  const movePath = isMedia ? createMoveMedia(move) : createMovePage(move);
  return moveFields(data, fields);

  function moveLink(link: string): string {
    const { origin = '', path } = links.split(link) ?? {};
    const moved = path && movePath(path);
    return moved === undefined || moved === path ? link : origin + moved;
  }

  function moveFields(values: Data, of: readonly FieldConfig[]): Data {
    let moved = values;
    for (const field of of) {
      if (!Object.hasOwn(values, field.name)) continue;
      const value = moveField(values[field.name], field);
      if (value === values[field.name]) continue;
      if (moved === values) moved = { ...values };
      moved[field.name] = value;
    }
    return moved;
  }

  function moveField(value: unknown, field: FieldConfig): unknown {
    if (field.type === 'relation') {
      return 'from' in move && field.collection === move.collection
        ? mapValue(value, (one) => (one === move.from ? move.to : one))
        : value;
    }
    if (field.type === 'richtext')
      return typeof value === 'string' ? moveLinks(value, links.inMarkdown(value)) : moveNode(value);
    if (HTML_FIELDS.has(field.type))
      return isMedia && typeof value === 'string' ? moveLinks(value, links.inHtml(value)) : value;
    if (MEDIA_FIELDS.has(field.type)) return isMedia ? mapValue(value, moveFile) : value;
    if (Array.isArray(value)) {
      return mapValue(value, (item) => (isObject(item) ? moveFields(item, itemFields(item, field, blocks)) : item));
    }
    return field.type === 'object' && isObject(value) ? moveFields(value, field.fields ?? []) : value;
  }

  function moveLinks(text: string, found: readonly SiteLink[]): string {
    let moved = '';
    let end = 0;
    for (const { start, link } of found) {
      // The link ends at a bracket that is part of another address.
      if (text[start + link.length] === '(') continue;
      moved += text.slice(end, start) + moveLink(link);
      end = start + link.length;
    }
    return moved + text.slice(end);
  }

  /** In a field of a media file, or of a gallery. */
  function moveFile(value: unknown): unknown {
    if (typeof value === 'string') return moveLink(value);
    if (!isObject(value) || typeof value.url !== 'string') return value;
    const url = moveLink(value.url);
    return url === value.url ? value : { ...value, url };
  }

  /** A part of a ProseMirror document. */
  function moveNode(node: unknown): unknown {
    if (Array.isArray(node)) return mapValue(node, moveNode);
    if (!isObject(node)) return node;
    const { attrs } = node;
    const changed: Data = {};
    for (const key of isObject(attrs) ? ['href', 'src'] : []) {
      const link = (attrs as Data)[key];
      const moved = typeof link === 'string' ? moveLink(link) : link;
      if (moved !== link) changed.attrs = { ...((changed.attrs ?? attrs) as Data), [key]: moved };
    }
    for (const key of ['content', 'marks']) {
      if (!Object.hasOwn(node, key)) continue;
      const part = moveNode(node[key]);
      if (part !== node[key]) changed[key] = part;
    }
    return Object.keys(changed).length > 0 ? { ...node, ...changed } : node;
  }
}

/** As the link was written: with or without a slash at its end, with its query and its fragment. */
function createMovePage({ address }: DocumentMove): (link: string) => string {
  if (!address) return (link) => link;
  const { from, to } = address;
  return (link) => {
    if (toAddress(link) !== from) return link;
    const path = pathOf(link);
    const isBare = !path.endsWith('/') && to !== '/';
    return (isBare ? to.slice(0, -1) : to) + link.slice(path.length);
  };
}

/** With the link's query, which may name a variant or the site, and its fragment. */
function createMoveMedia({ keys, path }: MediaMove): (link: string) => string {
  return (link) => {
    const key = toMediaKey(link);
    return key !== undefined && keys.includes(key) ? path + link.slice(pathOf(link).length) : link;
  };
}

function pathOf(link: string): string {
  return link.split(/[?#]/, 1)[0]!;
}

/** Changes each item of a list, or a value that is no list; the same value if nothing changes. */
function mapValue(value: unknown, change: (one: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return change(value);
  const changed = value.map(change);
  return changed.some((one, index) => one !== value[index]) ? changed : value;
}
