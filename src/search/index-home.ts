// The home of a site's text index: the calling thread while the index is small, else a thread for indexes
// (index-thread.ts). Either way orders run one after the other, so that a query finds what was put before it.
import { ServiceError } from '../lib/errors.ts';
import { createInOrder } from '../lib/queues/in-order.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import type { FoundTexts, IndexQuery, SearchEntry, TextIndex } from './engine/text-index.ts';
import { createTextIndex, loadTextIndex } from './engine/text-index.ts';

export interface IndexChange {
  key: string;
  /** The entry's stored form, or undefined if the entry is gone. */
  bytes: Uint8Array | undefined;
}

/** Reads an entry's stored form. */
export type ToEntry = (key: string, bytes: Uint8Array) => SearchEntry;

/** An index as it was when `save` was called, whatever is put later. */
export interface SavedIndex {
  /** Can be read once; pieces have at most some 256 KB. */
  pieces: AsyncIterable<Buffer>;
  /** Ends the save early: no more pieces will be read. */
  end(): void;
}

export interface IndexHome {
  /** Whether another thread does the work. */
  readonly isElsewhere: boolean;
  /** Resolves to whether the saved index was loaded; if not, the index is empty. */
  readonly opened: Promise<boolean>;
  /** Resolves once the changes are made, with those that could not be indexed. */
  put(changes: IndexChange[]): Promise<IndexProblem[]>;
  query(query: IndexQuery): Promise<FoundTexts>;
  save(): SavedIndex;
  close(): Promise<void>;
}

export interface IndexProblem {
  key: string;
  message: string;
}

/** The refusal of queries while there is no index: its thread died, or the service is shutting down. */
export function noIndex({ isClosing, cause }: { isClosing: boolean; cause?: unknown }): ServiceError {
  if (isClosing) return new ServiceError('unavailable', 'the service is shutting down', { cause });
  const message = 'the search index is being rebuilt; try again in a moment';
  return new ServiceError('unavailable', message, { cause, headers: { 'Retry-After': '5' } });
}

/** Leaves out an entry that cannot be indexed, and returns the problem: it must not affect the other entries. */
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
  /** Each order waits for the one before it. */
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
