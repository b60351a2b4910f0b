// Reads a WordPress export (WXR, an RSS file with its own elements) item by item, never the whole file at once. Only the
// items that are content: attachments, menus and revisions are passed over. Entities of a DTD are not expanded.
import fs from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { Parser } from 'htmlparser2';
import { invalid, ServiceError } from '../lib/errors.ts';
import { MAX_FILE_BYTES } from './files.ts';

export interface WxrItem {
  id: string;
  type: string;
  /** Texts by element without what is kept below: `title`, `wp:post_name`, `content:encoded`. */
  texts: Record<string, string>;
  categories: string[];
  tags: string[];
  /** Custom fields; WordPress's own, which begin with an underscore, are left out. */
  fields: Record<string, string>;
}

/** WordPress writes larger exports as several files. */
export const MAX_EXPORT_BYTES = 1024 * 1024 * 1024;
const CHUNK_BYTES = 64 * 1024;
const KEPT = new Set([
  ...['title', 'dc:creator', 'content:encoded', 'excerpt:encoded', 'wp:post_id', 'wp:post_name', 'wp:post_type'],
  ...['wp:post_date', 'wp:post_date_gmt', 'wp:post_modified_gmt', 'wp:status', 'wp:meta_key', 'wp:meta_value'],
]);

/** Throws if the file is too large, no XML of this kind, or ends too early. An item that is too large is an error in its place. */
export function* readWxr(file: string): Generator<WxrItem | { id: string; error: ServiceError }> {
  const { size } = fs.statSync(file);
  if (size > MAX_EXPORT_BYTES) throw new ServiceError('too_large', `the file has ${size} bytes; export it in parts`);
  const ready: (WxrItem | { id: string; error: ServiceError })[] = [];
  const state = createItems((item) => ready.push(item));
  const descriptor = fs.openSync(file, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const chunk = Buffer.alloc(CHUNK_BYTES);
    for (let read = fs.readSync(descriptor, chunk); read > 0; read = fs.readSync(descriptor, chunk)) {
      state.parser.write(decoder.write(chunk.subarray(0, read)));
      yield* ready.splice(0);
    }
    state.parser.end(decoder.end());
    yield* ready.splice(0);
  } finally {
    fs.closeSync(descriptor);
  }
  if (!state.isWxr()) throw invalid('the file is not a WordPress export (WXR)');
  if (!state.isWhole()) throw invalid('the file ends in the middle; export it again');
}

function createItems(onItem: (item: WxrItem | { id: string; error: ServiceError }) => void) {
  let item: WxrItem | undefined;
  let element: string | undefined;
  let category: 'tags' | 'categories' | undefined;
  let text = '';
  let meta = { key: '', value: '' };
  let sizeBytes = 0;
  let isWxr = false;
  let isWhole = false;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'rss') isWxr = Object.values(attributes).some((value) => value.includes('wordpress.org/export'));
        if (name === 'item') {
          item = { id: '', type: '', texts: {}, categories: [], tags: [], fields: {} };
          sizeBytes = 0;
        }
        if (!item) return;
        if (name === 'wp:postmeta') meta = { key: '', value: '' };
        if (name === 'category') {
          category =
            attributes.domain === 'post_tag' ? 'tags' : attributes.domain === 'category' ? 'categories' : undefined;
          text = '';
        }
        element = KEPT.has(name) ? name : element;
        if (KEPT.has(name)) text = '';
      },
      ontext(part) {
        if (!item || (!element && !category)) return;
        sizeBytes += Buffer.byteLength(part);
        if (sizeBytes <= MAX_FILE_BYTES) text += part;
      },
      // The parser closes by itself what the file does not.
      onclosetag(name, isImplied) {
        if (name === 'rss' && !isImplied) isWhole = true;
        if (!item || isImplied) return;
        if (name === 'category' && category && text.trim() !== '') item[category].push(text.trim());
        if (name === 'category') category = undefined;
        if (name === 'wp:meta_key') meta.key = text;
        else if (name === 'wp:meta_value') meta.value = text;
        else if (name === element) item.texts[name] ??= text;
        if (name === 'wp:postmeta' && meta.key !== '' && !/^_|^(__proto__|constructor|prototype)$/.test(meta.key)) {
          item.fields[meta.key] = meta.value;
        }
        if (name === element) element = undefined;
        if (name === 'item') {
          item.id = item.texts['wp:post_id'] ?? '';
          item.type = item.texts['wp:post_type'] ?? '';
          const error = new ServiceError('too_large', `the item is larger than ${MAX_FILE_BYTES} bytes`);
          onItem(sizeBytes > MAX_FILE_BYTES ? { id: item.id, error } : item);
          item = undefined;
        }
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  return { parser, isWxr: () => isWxr, isWhole: () => isWhole };
}
