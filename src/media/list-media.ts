// Which media files a list shows.
import { createBreathe } from '../lib/queues/slices.ts';
import { normalize } from '../lib/text/stream-safe.ts';
import type { MediaFile, MediaType } from './media.ts';
import type { MediaView } from './view.ts';

export interface MediaQuery {
  /** Files in it, not in folders below it; the empty text for `media/` itself. */
  folder?: string | undefined;
  type?: MediaType | undefined;
  /** Terms that name, folder, alt text and tags together must have, in any spelling of case and accents. */
  q?: string | undefined;
  /** Every match where absent. */
  limit?: number | undefined;
  offset?: number | undefined;
}

export interface MediaPage {
  files: readonly MediaFile[];
  /** Number of matches, whatever limit and offset say. */
  total: number;
}

/** Looks at all of them where the query has words, in slices: a change meanwhile shows in the next answer. */
export async function listMedia(view: MediaView, query: MediaQuery): Promise<MediaPage> {
  const { folder, type, q = '', offset = 0, limit = Number.POSITIVE_INFINITY } = query;
  const terms = fold(q).split(/\s+/).filter(Boolean);
  const isWanted = (file: MediaFile): boolean =>
    (folder === undefined || file.folder === folder) && (type === undefined || file.type === type);
  const all = view.newestFirst();
  const placed = folder === undefined && type === undefined ? all : all.filter(isWanted);
  const found = terms.length === 0 ? placed : await withTerms([...placed], terms);
  return { files: found.slice(offset, offset + limit), total: found.length };
}

async function withTerms(files: readonly MediaFile[], terms: readonly string[]): Promise<MediaFile[]> {
  const breathe = createBreathe();
  const found: MediaFile[] = [];
  for (const file of files) {
    if (terms.every((term) => textOf(file).includes(term))) found.push(file);
    await breathe();
  }
  return found;
}

/** Of files that are there; folding thousands of them for each query would be felt. */
const texts = new WeakMap<MediaFile, string>();

function textOf(file: MediaFile): string {
  let text = texts.get(file);
  if (text === undefined) {
    text = fold([file.slug, file.alt, ...file.tags].join('\n'));
    texts.set(file, text);
  }
  return text;
}

function fold(text: string): string {
  return normalize(text, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}
