// A site's text index: finds the entries that have every term of a query, the best first. Kept in memory, changed in
// place, saved and loaded as one file. Knows keys and texts and nothing about documents; a query sees the last put.
import { createDocumentTable, DEAD, LIVE } from './document-table.ts';
import { type Dictionary, evaluate, type IndexData, matchedIn } from './evaluate.ts';
import type { Filter } from './facets.ts';
import { createGatherer, type DocumentTexts, type Gather, type TextCounts } from './gather.ts';
import { encodeIndexFile, parseIndexFile, type SavedPart, type SavedParts } from './index-file.ts';
import { createScratch, type Scratch } from './join.ts';
import { createKeptText } from './kept.ts';
import { createLetters } from './letters.ts';
import { createLists } from './lists.ts';
import { normOf, toPosting } from './posting.ts';
import { createPurge } from './purge.ts';
import { selectPage } from './rank.ts';
import { parseTerms } from './terms.ts';
import { createVocabulary } from './vocabulary.ts';
import { createWorkQueue, runInTurns } from './work-queue.ts';

export interface SearchEntry extends DocumentTexts {
  /** Names the entry; not empty. */
  key: string;
  collection: string;
  status: string;
  locale?: string;
  /** Time of the last change, in milliseconds; of two equally good matches the later one comes first. */
  time: number;
}

export interface IndexQuery {
  q: string;
  filter?: Filter;
  limit: number;
  offset: number;
  /** The keys of all matches in place of a page. */
  isWhole?: boolean;
}

export interface FoundTexts {
  items: { key: string; matchedIn: 'title' | 'body' }[];
  /** The exact number of matches, regardless of limit and offset. */
  total: number;
  /** With `isWhole`: separated by line ends, in no order; one text crosses to another thread at once. */
  keys?: string;
}

export interface TextIndex {
  /** Adds an entry or replaces the one with the same key; the next query finds it. */
  put(entry: SearchEntry): void;
  remove(key: string): void;
  /** Throws `invalid_input` for a q that cannot be searched for. Long queries let other work go first. */
  query(query: IndexQuery): Promise<FoundTexts>;
  /** Resolves when all long texts put so far are indexed; queries wait for that by themselves. */
  settled(): Promise<void>;
  /** The index as it is now, in pieces of at most some 256 KB; it may change while they are being written. */
  save(): IterableIterator<Buffer>;
  stats(): { documents: number; words: number; bytes: number };
}

/** Longer texts are indexed in turns of the event loop; the next query waits for them. */
const LONG_TEXT = 1 << 16;
/** Kept from query to query; each has ten bytes per document and more. */
const SPARE_SCRATCHES = 4;
/** Postings to write before the next yield. */
const WORDS_AT_ONCE = 2048;

function isLong({ title, texts }: DocumentTexts): boolean {
  return texts.reduce((sum, text) => sum + text.length, title.length) > LONG_TEXT;
}

function createDictionary(name: string, parts?: SavedParts): Dictionary {
  return {
    vocabulary: createVocabulary(name, parts),
    postings: createLists(parts && { parts, name: `${name}.postings` }),
  };
}

function capture(name: string, { vocabulary, postings }: Dictionary): SavedPart[] {
  return [...vocabulary.capture(), ...postings.capture(`${name}.postings`)];
}

const bytesIn = ({ vocabulary, postings }: Dictionary): number => vocabulary.bytes() + postings.bytes();

function* post(
  { vocabulary, postings }: Dictionary,
  doc: number,
  counts: TextCounts,
  norm: number,
): Generator<void, void> {
  while (postings.size() < vocabulary.size()) postings.create();
  for (const [i, word] of counts.words.entries()) {
    postings.push(word, toPosting(doc, counts.total(word), counts.inTitle(word), norm));
    if (i % WORDS_AT_ONCE === WORDS_AT_ONCE - 1) yield;
  }
}

function* add(
  { words, chunks, documents, kept }: IndexData,
  doc: number,
  texts: DocumentTexts,
  gatherTexts: Gather,
): Generator<void, void> {
  const gathered = yield* gatherTexts(doc, texts);
  const norm = normOf(gathered.length);
  yield* post(words, doc, gathered.words, norm);
  yield* post(chunks, doc, gathered.chunks, norm);
  documents.setSegment(doc, kept.add(gathered.keptTitle, gathered.keptBody));
}

/** Lends scratches for a number of documents, and keeps some from query to query. */
function createScratches() {
  const spare: Scratch[] = [];
  return {
    lend(size: number): Scratch {
      const found = spare.pop();
      if (found && found.state.length >= size) return found;
      return createScratch(size + (size >>> 3) + 64);
    },
    release(scratch: Scratch): void {
      if (spare.length < SPARE_SCRATCHES) spare.push(scratch);
    },
  };
}

/** An empty index, or the one with these saved parts. */
export function createTextIndex(parts?: SavedParts): TextIndex {
  const documents = createDocumentTable(parts);
  const data: IndexData = {
    documents,
    words: createDictionary('words', parts),
    chunks: createDictionary('chunks', parts),
    letters: createLetters(parts, documents.bitsOf(LIVE, DEAD)),
    kept: createKeptText(parts),
  };
  const { words, chunks, letters, kept } = data;
  const gather = createGatherer(words.vocabulary, chunks.vocabulary, letters);
  const gatherLong = createGatherer(words.vocabulary, chunks.vocabulary, letters);
  const longTexts = createWorkQueue();
  const unfinished = new Set<number>();
  const purge = createPurge(data);
  const scratches = createScratches();
  /** Number of queries, saves and long texts under way, which rely on document numbers not being reused. */
  let pins = 0;
  /** Keys of documents that were removed while pinned. */
  const former = new Map<number, string>();

  function unpin(): void {
    if (--pins === 0) former.clear();
  }

  function remove(key: string): void {
    const doc = documents.find(key);
    if (doc === undefined) return;
    if (unfinished.has(doc)) longTexts.finish();
    kept.remove(documents.segmentOf(doc));
    documents.remove(doc);
    if (pins > 0) former.set(doc, key);
  }

  function* addLong(doc: number, texts: DocumentTexts): Generator<void, void> {
    yield* add(data, doc, texts, gatherLong);
    unfinished.delete(doc);
    unpin();
  }

  function put(entry: SearchEntry): void {
    remove(entry.key);
    const doc = documents.add(entry.key, entry.time, entry);
    if (!isLong(entry)) for (const _ of add(data, doc, entry, gather));
    else {
      pins++;
      unfinished.add(doc);
      longTexts.add(addLong(doc, entry));
    }
  }

  async function query({ q, filter = {}, limit, offset, isWhole }: IndexQuery): Promise<FoundTexts> {
    const terms = parseTerms(q);
    while (!longTexts.isEmpty()) await longTexts.settled();
    const scratch = scratches.lend(documents.size());
    const keyOf = (doc: number): string => former.get(doc) ?? documents.keyOf(doc);
    pins++;
    try {
      await runInTurns(evaluate(data, scratch, terms, filter));
      const { hits, hitCount, scores } = scratch;
      if (isWhole)
        return { items: [], total: hitCount, keys: Array.from(hits.subarray(0, hitCount), keyOf).join('\n') };
      const ranks = { scores, times: documents.times() };
      const page = selectPage(hits, hitCount, ranks, { offset, limit }, (a, b) =>
        keyOf(a) < keyOf(b) ? -1 : a === b ? 0 : 1,
      );
      // An entry that was put again meanwhile was a match when the query began.
      const items = page
        .filter((doc) => documents.find(keyOf(doc)) !== undefined)
        .map((doc) => ({ key: keyOf(doc), matchedIn: matchedIn(scratch, doc) }));
      return { items, total: hitCount };
    } finally {
      unpin();
      scratches.release(scratch);
    }
  }

  function* pieces(parts: ReturnType<typeof documents.capture>): Generator<Buffer> {
    try {
      yield Buffer.alloc(0);
      yield* encodeIndexFile(parts);
    } finally {
      unpin();
    }
  }

  return {
    put(entry) {
      put(entry);
      if (pins === 0) purge();
    },
    remove(key) {
      remove(key);
      if (pins === 0) purge();
    },
    query,
    settled: longTexts.settled,
    save() {
      longTexts.finish();
      pins++;
      const running = pieces([
        ...documents.capture(),
        ...capture('words', words),
        ...capture('chunks', chunks),
        ...letters.capture(),
        ...kept.capture(),
      ]);
      // Started at once, so that ending it before its first piece removes the pin too.
      running.next();
      return running;
    },
    stats: () => ({
      documents: documents.count(),
      words: words.vocabulary.size(),
      bytes: documents.bytes() + bytesIn(words) + bytesIn(chunks) + letters.bytes() + kept.bytes(),
    }),
  };
}

/** Loads an index from a saved file, which it then owns. Returns undefined for anything else: rebuild the index. */
export function loadTextIndex(file: Buffer): TextIndex | undefined {
  const parts = parseIndexFile(file);
  return parts && createTextIndex(parts);
}
