// Which media files a list shows.
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

export function listMedia(view: MediaView, query: MediaQuery): MediaPage {
  const { folder, type, q = '', offset = 0, limit = Number.POSITIVE_INFINITY } = query;
  const terms = fold(q).split(/\s+/).filter(Boolean);
  const isWanted = (file: MediaFile): boolean =>
    (folder === undefined || file.folder === folder) &&
    (type === undefined || file.type === type) &&
    (terms.length === 0 || hasAll(textOf(file), terms));
  const all = view.newestFirst();
  const found = folder === undefined && type === undefined && terms.length === 0 ? all : all.filter(isWanted);
  return { files: found.slice(offset, offset + limit), total: found.length };
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

function hasAll(text: string, terms: readonly string[]): boolean {
  return terms.every((term) => text.includes(term));
}

function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}
