// Lists media files: filters, terms, pages.
import { createBreathe } from '../lib/queues/slices.ts';
import { normalize } from '../lib/text/stream-safe.ts';
import type { MediaFile, MediaType } from './media.ts';
import type { MediaView } from './view.ts';

export interface MediaQuery {
  /** Only files directly in this folder; the empty text is `media/` itself. */
  folder?: string | undefined;
  type?: MediaType | undefined;
  /** Terms that all must appear in name, folder, alt text or tags, ignoring case and accents. */
  q?: string | undefined;
  /** Every match if absent. */
  limit?: number | undefined;
  offset?: number | undefined;
}

export interface MediaPage {
  files: readonly MediaFile[];
  /** Number of matches, regardless of limit and offset. */
  total: number;
}

/** A query with terms reads every file, in slices: a change made meanwhile shows in the next answer. */
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

/** Folded texts: folding thousands of files for each query would be noticeable. */
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
