// Lists media files: filters, terms, pages.
import { createBreathe, runBreathing } from '../lib/queues/slices.ts';
import { sortInSteps } from '../lib/queues/sort-in-steps.ts';
import { normalize } from '../lib/text/stream-safe.ts';
import type { MediaFile, MediaType } from './media.ts';
import type { MediaView } from './view.ts';

export const MEDIA_ORDERS = ['createdAt', 'name', 'folder', 'size', 'type'] as const;
export type MediaOrder = (typeof MEDIA_ORDERS)[number];

export interface MediaQuery {
  /** Only files directly in this folder; the empty text is `media/` itself. */
  folder?: string | undefined;
  type?: MediaType | undefined;
  /** Terms that all must appear in name, folder, alt text or tags, ignoring case and accents. */
  q?: string | undefined;
  /** All of them must match. */
  tags?: readonly string[] | undefined;
  orderBy?: MediaOrder | undefined;
  /** If absent, the newest first, and everything else ascending. */
  order?: 'asc' | 'desc' | undefined;
  /** Every match if absent. */
  limit?: number | undefined;
  offset?: number | undefined;
}

export interface MediaPage {
  files: readonly MediaFile[];
  /** Number of matches, regardless of limit and offset. */
  total: number;
}

const STEP = 1024;

/** A query with terms reads every file, in slices: a change made meanwhile shows in the next answer. */
export async function listMedia(view: MediaView, query: MediaQuery): Promise<MediaPage> {
  const { folder, type, tags = [], q = '', offset = 0, limit = Number.POSITIVE_INFINITY } = query;
  const terms = fold(q).split(/\s+/).filter(Boolean);
  const isWanted = (file: MediaFile): boolean =>
    (folder === undefined || file.folder === folder) &&
    (type === undefined || file.type === type) &&
    tags.every((tag) => file.tags.includes(tag));
  const all = view.newestFirst();
  const placed = folder === undefined && type === undefined && tags.length === 0 ? all : all.filter(isWanted);
  const found = terms.length === 0 ? placed : await withTerms([...placed], terms);
  const sorted = await inOrder(found, query);
  return { files: sorted.slice(offset, offset + limit), total: found.length };
}

/** `files` are the newest first; equal ones stay in that order, missing values last. */
async function inOrder(files: readonly MediaFile[], { orderBy = 'createdAt', order }: MediaQuery) {
  if (orderBy === 'createdAt' && order !== 'asc') return files;
  const sign = (order ?? (orderBy === 'createdAt' ? 'desc' : 'asc')) === 'asc' ? 1 : -1;
  const read = VALUES[orderBy];
  const compare = (a: MediaFile, b: MediaFile): number => {
    const [left, right] = [read(a), read(b)];
    if (left === right) return 0;
    if (left === undefined || right === undefined) return left === undefined ? 1 : -1;
    return left < right ? -sign : sign;
  };
  return runBreathing(sortInSteps([...files], compare, STEP), createBreathe());
}

const VALUES: Record<MediaOrder, (file: MediaFile) => string | number | undefined> = {
  createdAt: (file) => file.createdAt,
  name: (file) => file.name,
  folder: (file) => file.slug,
  size: (file) => file.sizeBytes,
  type: (file) => file.type,
};

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
