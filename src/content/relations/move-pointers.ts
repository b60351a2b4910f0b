// The data of a document after another document was renamed: relations that named it, and links in rich text to its
// page, name its new place. Pure; everything that does not change stays the same object.
import type { BlockConfig, FieldConfig } from '../../config/site-config.ts';
import { isObject } from '../../lib/json.ts';
import { itemFields } from '../../schema/texts.ts';
import type { Data } from '../document.ts';
import { LINK, toAddress } from './pointers.ts';

export interface Move {
  collection: string;
  from: string;
  to: string;
  /** The addresses of its page, if it has one before and after. */
  address?: { from: string; to: string } | undefined;
}

type Blocks = ReadonlyMap<string, BlockConfig>;

/** The same object if nothing in it points to the document. */
export function movePointers(data: Data, fields: readonly FieldConfig[], blocks: Blocks, move: Move): Data {
  return moveFields(data, fields);

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
      return field.collection === move.collection
        ? mapValue(value, (one) => (one === move.from ? move.to : one))
        : value;
    }
    if (field.type === 'richtext') {
      if (!move.address) return value;
      return typeof value === 'string' ? moveLinks(value) : moveNode(value);
    }
    if (Array.isArray(value)) {
      return mapValue(value, (item) => (isObject(item) ? moveFields(item, itemFields(item, field, blocks)) : item));
    }
    return field.type === 'object' && isObject(value) ? moveFields(value, field.fields ?? []) : value;
  }

  function moveLinks(text: string): string {
    return text.replace(LINK, (match: string, link: string, offset: number) => {
      // The link ends at a bracket that is part of another address.
      if (text[offset + match.length] === '(') return match;
      return match.slice(0, match.length - link.length) + moveLink(link);
    });
  }

  /** As the link was written: with or without a slash at its end, with its query and its fragment. */
  function moveLink(link: string): string {
    const { from, to } = move.address!;
    if (toAddress(link) !== from) return link;
    const path = link.split(/[?#]/, 1)[0]!;
    const isBare = !path.endsWith('/') && to !== '/';
    return (isBare ? to.slice(0, -1) : to) + link.slice(path.length);
  }

  /** A part of a ProseMirror document. */
  function moveNode(node: unknown): unknown {
    if (Array.isArray(node)) return mapValue(node, moveNode);
    if (!isObject(node)) return node;
    const { attrs } = node;
    const changed: Data = {};
    if (isObject(attrs) && typeof attrs.href === 'string') {
      const href = moveLink(attrs.href);
      if (href !== attrs.href) changed.attrs = { ...attrs, href };
    }
    for (const key of ['content', 'marks']) {
      if (!Object.hasOwn(node, key)) continue;
      const part = moveNode(node[key]);
      if (part !== node[key]) changed[key] = part;
    }
    return Object.keys(changed).length > 0 ? { ...node, ...changed } : node;
  }
}

/** Changes each item of a list, or a value that is no list; the same value if nothing changes. */
function mapValue(value: unknown, change: (one: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return change(value);
  const changed = value.map(change);
  return changed.some((one, index) => one !== value[index]) ? changed : value;
}
