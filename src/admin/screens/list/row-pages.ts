// Rows of a list by their index, loaded in pages as they come into view. What scrolled by quickly is not asked for, and
// what was far away is forgotten, so that scrolling through 100,000 rows keeps the memory small.
import { type Signal, signal } from '@preact/signals';

export interface ListDocument {
  id: string;
  slug: string;
  status: 'draft' | 'published' | 'archived';
  locale?: string;
  publishAt?: string;
  unpublishAt?: string;
  createdAt: string;
  updatedAt: string;
  data: Readonly<Record<string, unknown>>;
}

/** `T` is what a row is about, such as a document. */
export interface DocumentPage<T = ListDocument> {
  documents: readonly T[];
  total: number;
}

export type FetchPage<T = ListDocument> = (
  offset: number,
  limit: number,
  signal: AbortSignal,
) => Promise<DocumentPage<T>>;

export interface RowPages<T = ListDocument> {
  /** Undefined until the first answer. */
  readonly total: Signal<number | undefined>;
  readonly error: Signal<unknown>;
  /** Changes with every answer. */
  readonly version: Signal<number>;
  at(index: number): T | undefined;
  indexOf(id: string): number | undefined;
  /** All that are in memory. */
  known(): readonly T[];
  /** Loads what is missing of these rows, and stops what was asked for others. */
  want(first: number, end: number): void;
  /** All of these rows, in their order. @throws as the requests. */
  range(first: number, end: number): Promise<readonly T[]>;
  /** What is known better than by the last answer: a row as it is now, or undefined if it is gone. */
  change(id: string, row: T | undefined): void;
  /** Something has changed: what is in view is asked for again, and stays until it is there. */
  refresh(): void;
  close(): void;
}

export const PAGE = 100;
/** 40 pages of rows are some 4 MB. */
const KEPT_PAGES = 40;

interface KeptPage<T> {
  documents: readonly T[];
  isStale: boolean;
}

export function createRowPages<T extends { id: string } = ListDocument>(fetchPage: FetchPage<T>): RowPages<T> {
  const total = signal<number | undefined>(undefined);
  const error = signal<unknown>(undefined);
  const version = signal(0);
  const pages = new Map<number, KeptPage<T>>();
  const running = new Map<number, AbortController>();
  let wanted: readonly number[] = [0];

  async function load(page: number): Promise<void> {
    const stop = new AbortController();
    running.set(page, stop);
    try {
      const answer = await fetchPage(page * PAGE, PAGE, stop.signal);
      if (stop.signal.aborted) return;
      keep(page, answer);
    } catch (failure) {
      if (!stop.signal.aborted) error.value = failure;
    } finally {
      if (running.get(page) === stop) running.delete(page);
    }
  }

  function keep(page: number, answer: DocumentPage<T>): void {
    pages.delete(page);
    pages.set(page, { documents: answer.documents, isStale: false });
    for (const old of pages.keys()) {
      if (pages.size <= KEPT_PAGES) break;
      if (!wanted.includes(old)) pages.delete(old);
    }
    error.value = undefined;
    total.value = answer.total;
    version.value += 1;
  }

  const isMissing = (page: number): boolean => (pages.get(page)?.isStale ?? true) && !running.has(page);

  function want(first: number, end: number): void {
    const last = Math.max(first, Math.min(end, total.value ?? PAGE) - 1);
    wanted = pagesOf(first, last);
    for (const [page, stop] of running) {
      if (wanted.includes(page)) continue;
      stop.abort();
      running.delete(page);
    }
    for (const page of wanted) if (isMissing(page)) void load(page);
  }

  const at = (index: number): T | undefined => pages.get(Math.floor(index / PAGE))?.documents[index % PAGE];

  return {
    ...{ total, error, version, at, want },
    indexOf(id) {
      for (const [page, { documents }] of pages) {
        const found = documents.findIndex((one) => one.id === id);
        if (found >= 0) return page * PAGE + found;
      }
      return undefined;
    },
    known: () => [...pages.values()].flatMap(({ documents }) => documents),
    async range(first, end) {
      const found: T[] = [];
      for (const page of pagesOf(first, end - 1)) {
        const { documents } = pages.get(page) ?? (await fetchPage(page * PAGE, PAGE, new AbortController().signal));
        found.push(...documents.slice(Math.max(0, first - page * PAGE), Math.max(0, end - page * PAGE)));
      }
      return found;
    },
    change(id, row) {
      for (const page of pages.values()) {
        if (!page.documents.some((one) => one.id === id)) continue;
        page.documents = page.documents.flatMap((one) => (one.id !== id ? [one] : row === undefined ? [] : [row]));
        if (row === undefined && total.value !== undefined) total.value -= 1;
        version.value += 1;
      }
    },
    refresh() {
      for (const page of pages.values()) page.isStale = true;
      for (const [page, stop] of running) {
        stop.abort();
        running.delete(page);
      }
      error.value = undefined;
      for (const page of wanted) void load(page);
    },
    close() {
      for (const stop of running.values()) stop.abort();
      running.clear();
    },
  };
}

function pagesOf(first: number, last: number): number[] {
  const from = Math.floor(first / PAGE);
  return Array.from({ length: Math.max(1, Math.floor(last / PAGE) - from + 1) }, (_, at) => from + at);
}
