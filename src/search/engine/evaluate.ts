// Finds the documents that have every term of a query. A generator: it yields between pieces of work of well under a
// millisecond, so that its caller can let other requests go first. Between pieces the index may get new documents, but
// must not purge (see purge.ts).
import type { DocumentTable } from './document-table.ts';
import type { Filter } from './facets.ts';
import { addScores, joinLetters, joinOne, joinWord, type Scratch } from './join.ts';
import type { KeptText } from './kept.ts';
import { isLetters, type Letters } from './letters.ts';
import type { PostingLists } from './lists.ts';
import type { Terms } from './terms.ts';
import type { Vocabulary } from './vocabulary.ts';
import { classAt, PLAIN } from './words.ts';

/** Words or chunks, and the postings of each. */
export interface Dictionary {
  vocabulary: Vocabulary;
  postings: PostingLists;
}

export interface IndexData {
  documents: DocumentTable;
  words: Dictionary;
  chunks: Dictionary;
  letters: Letters;
  kept: KeptText;
}

/** Postings to read, and texts to check, before the next yield. */
const SLICE = 100_000;
const CHECKS = 4096;
/** Added to the relevance of a document that has every term in its title; no relevance comes near it. */
const TITLE_FIRST = 2 ** 20;

interface WordLookup {
  text: string;
  words: ArrayLike<number>;
  /** Approximate number of postings to read. */
  cost: number;
  /** Whether letters.ts answers for it; `words` is then the whole word only. */
  byLetters: boolean;
}

function toLookup({ words: { vocabulary, postings }, documents }: IndexData, text: string): WordLookup {
  const isPlain = classAt(text, 0) === PLAIN;
  const byLetters = isPlain && isLetters(text);
  // Words of class WIDE are single letters and pairs, so only the pair itself contains a pair.
  const words =
    byLetters || (!isPlain && text.length === 2) ? only(vocabulary.find(text)) : vocabulary.containing(text);
  let cost = byLetters ? documents.size() : 0;
  for (const word of words) cost += postings.count(word);
  return { text, words, cost, byLetters };
}

const only = (word: number): Uint32Array => Uint32Array.from(word === -1 ? [] : [word]);

function* lookUp(data: IndexData, scratch: Scratch, lookup: WordLookup, step: number): Generator<void, void> {
  const { documents, letters } = data;
  const { postings, vocabulary } = data.words;
  const { text, words, cost, byLetters } = lookup;
  scratch.hitCount = 0;
  for (let i = 0, done = 0; i < words.length; i++) {
    const word = words[i]!;
    done += joinWord(scratch, postings, word, step, text.length / vocabulary.lengthOf(word));
    if (done < SLICE) continue;
    done = 0;
    yield;
  }
  if (byLetters) joinLetters(scratch, letters, text, step);
  yield;
  addScores(scratch, Math.log(1 + documents.count() / Math.min(Math.max(cost, 1), documents.count())));
}

/** Looks for a term that is not one word: in the vocabulary of chunks, and in the kept text. */
function* check(data: IndexData, scratch: Scratch, term: string, step: number): Generator<void, void> {
  const { documents, chunks, kept } = data;
  const passed = kept.bytes() > 0 ? scratch.hits.slice(0, scratch.hitCount).sort() : NO_DOCUMENTS;
  scratch.hitCount = 0;
  let done = 0;
  for (const chunk of chunks.vocabulary.containing(term)) {
    done += joinWord(scratch, chunks.postings, chunk, step, 0);
    if (done < SLICE) continue;
    done = 0;
    yield;
  }
  // In the order of the documents, in which most kept text is stored too.
  const find = kept.finder(term);
  for (let at = 0; at < passed.length; at++) {
    const doc = passed[at]!;
    // Documents removed meanwhile are included: their bytes stay until no query needs them.
    const place = documents.hasSegment(doc) ? find(documents.segmentOf(doc)) : undefined;
    if (place !== undefined) joinOne(scratch, doc, step, place === 'title');
    if (at % CHECKS === CHECKS - 1) yield;
  }
}

const NO_DOCUMENTS = new Uint32Array(0);

/** Puts the matches into `scratch.hits` and their ranks into `scratch.scores`. */
export function* evaluate(data: IndexData, scratch: Scratch, terms: Terms, filter: Filter): Generator<void, void> {
  // No lookup passed yet: 1 in the upper byte.
  data.documents.select(filter, 1 << 8, scratch.state);
  scratch.titled.fill(0);
  scratch.scores.fill(0);
  const lookups: WordLookup[] = [];
  for (const text of terms.lookups) {
    lookups.push(toLookup(data, text));
    yield;
  }
  // The rarest first: documents without it need no further look.
  lookups.sort((a, b) => a.cost - b.cost);
  for (const [step, lookup] of lookups.entries()) {
    yield* lookUp(data, scratch, lookup, step);
    if (scratch.hitCount === 0) return;
  }
  for (const [i, term] of terms.checks.entries()) {
    yield* check(data, scratch, term, lookups.length + i);
    if (scratch.hitCount === 0) return;
  }
  const steps = lookups.length + terms.checks.length;
  const { hits, hitCount, titled, scores } = scratch;
  for (let i = 0; i < hitCount; i++) if (titled[hits[i]!] === steps) scores[hits[i]!]! += TITLE_FIRST;
}

export function matchedIn({ scores }: Scratch, doc: number): 'title' | 'body' {
  return scores[doc]! >= TITLE_FIRST ? 'title' : 'body';
}
