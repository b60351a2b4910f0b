// Where a site's text index lives: on the thread that asks, as long as it is small, or on one of its own
// (index-thread.ts). Either way orders are carried out one after the other, so that a query finds what was put before it.
import { ServiceError } from '../lib/errors.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import type { FoundTexts, IndexQuery, SearchEntry, TextIndex } from './engine/text-index.ts';
import { createTextIndex, loadTextIndex } from './engine/text-index.ts';

/** An entry's stored form, or undefined where the entry is gone. */
export interface IndexChange {
  key: string;
  bytes: Uint8Array | undefined;
}

/** Reads an entry's stored form. */
export type ToEntry = (key: string, bytes: Uint8Array) => SearchEntry;

/** An index as it was when it was asked for, whatever is put since. */
export interface SavedIndex {
  /** To be read once, in pieces of at most some 256 KB. */
  pieces: AsyncIterable<Buffer>;
  /** Nobody reads on. */
  end(): void;
}

export interface IndexHome {
  /** Its work costs this thread nothing. */
  readonly isElsewhere: boolean;
  /** Whether what had been saved is in it; false: it is empty. */
  readonly opened: Promise<boolean>;
  /** Resolves once they are in, with what could not be indexed. */
  put(changes: IndexChange[]): Promise<IndexProblem[]>;
  query(query: IndexQuery): Promise<FoundTexts>;
  save(): SavedIndex;
  close(): Promise<void>;
}

export interface IndexProblem {
  key: string;
  message: string;
}

/** What a query is told while there is no index: its thread died, or the service ends. */
export function noIndex({ isClosing, cause }: { isClosing: boolean; cause?: unknown }): ServiceError {
  if (isClosing) return new ServiceError('unavailable', 'the service is shutting down', { cause });
  const message = 'the search index is being built anew; try again in a moment';
  return new ServiceError('unavailable', message, { cause, headers: { 'Retry-After': '5' } });
}

/** One entry that cannot be indexed is left out, and no reason to leave out others. */
export function bringIn(index: TextIndex, toEntry: ToEntry, { key, bytes }: IndexChange): IndexProblem | undefined {
  try {
    if (bytes) index.put(toEntry(key, bytes));
    else index.remove(key);
    return undefined;
  } catch (error) {
    index.remove(key);
    return { key, message: error instanceof Error ? error.message : String(error) };
  }
}

const SLICE_MS = 2;

export function createHomeHere(toEntry: ToEntry, saved?: Buffer): IndexHome {
  const found = saved && loadTextIndex(saved);
  const index = found ?? createTextIndex();
  /** Orders wait for the one before them. */
  const after = createInOrder();

  async function putAll(changes: IndexChange[]): Promise<IndexProblem[]> {
    const problems: IndexProblem[] = [];
    const breathe = createBreathe(SLICE_MS);
    for (const change of changes) {
      await breathe();
      const problem = bringIn(index, toEntry, change);
      if (problem) problems.push(problem);
    }
    await index.settled();
    return problems;
  }

  return {
    isElsewhere: false,
    opened: Promise.resolve(found !== undefined),
    put: (changes) => after(() => putAll(changes)),
    async query(query) {
      await after(() => undefined);
      return index.query(query);
    },
    save() {
      const saving = after(() => index.save());
      return { pieces: piecesOf(saving), end: () => void saving.then((pieces) => pieces.return?.()) };
    },
    close: async () => undefined,
  };
}

async function* piecesOf(saving: Promise<Iterable<Buffer>>): AsyncGenerator<Buffer> {
  yield* await saving;
}
