// The inner loops of a query: find which of the documents that passed the earlier lookups also pass this one. Kept
// apart from the generator that calls them, because generators are not optimised as well.
import type { Letters } from './letters.ts';
import type { PostingLists } from './lists.ts';
import { DOCUMENT_SHIFT, impactOf, inTitleBit } from './posting.ts';

/** Arrays by document number that a query works in, reused from query to query. */
export interface Scratch {
  /**
   * Number of lookups the document has passed, plus one, in the upper byte (0 if the filter excludes it); the score of
   * the last lookup in the lower byte.
   */
  state: Uint16Array;
  /** Number of consecutive lookups and checks, from the first, that it passed in its title. */
  titled: Uint8Array;
  /** Its relevance so far. */
  scores: Float32Array;
  /** The numbers of the documents that passed the last lookup, in no order. */
  hits: Uint32Array;
  hitCount: number;
  postings: Uint32Array;
}

export function createScratch(size: number): Scratch {
  return {
    state: new Uint16Array(size),
    titled: new Uint8Array(size),
    scores: new Float32Array(size),
    // One more than there are documents: see joinWord.
    hits: new Uint32Array(size + 1),
    hitCount: 0,
    postings: new Uint32Array(size),
  };
}

/** Part of a word says less than the whole word; one or two letters say next to nothing. */
const PART_SCORE = 1;

/**
 * Joins the postings of one word with the documents that passed `step` lookups; `share` is the length of the term by
 * that of the word. Returns the number of postings.
 *
 * Without branches, because none of them can be predicted: 3 ns a posting instead of 9. `x >> 31` is -1 for a negative
 * number and 0 for others.
 */
export function joinWord(scratch: Scratch, lists: PostingLists, word: number, step: number, share: number): number {
  const count = lists.count(word);
  if (count >= scratch.postings.length) scratch.postings = new Uint32Array(count + (count >>> 2) + 1);
  const { state, titled, hits, postings } = scratch;
  lists.read(word, postings);
  let { hitCount } = scratch;
  const before = (step + 1) << 8;
  const after = (step + 2) << 8;
  const scale = Math.floor(share * 256);
  let titles = 0;
  for (let i = 0; i < count; i++) {
    const posting = postings[i]!;
    const doc = posting >>> DOCUMENT_SHIFT;
    const old = state[doc]!;
    const now = after + ((impactOf(posting) * scale) >>> 8);
    // All ones if the document passed the lookups before and scores higher than its state.
    const better = ((old - now) >> 31) & ~((old - before) >> 31);
    state[doc] = old ^ ((old ^ now) & better);
    // Written in any case; counts only if it is the first time for this lookup.
    hits[hitCount] = doc;
    hitCount -= ((old - after) >> 31) & better;
    // Postings that have been read are overwritten with the documents that have the word in the title.
    postings[titles] = doc;
    titles += inTitleBit(posting);
  }
  for (let i = 0; i < titles; i++) {
    const doc = postings[i]!;
    if (titled[doc] === step) titled[doc] = step + 1;
  }
  scratch.hitCount = hitCount;
  return count;
}

/** Joins a term of one or two letters: `anywhere` and `inTitle` have a bit for every document. */
export function joinLetters(scratch: Scratch, letters: Letters, term: string, step: number): void {
  const { anywhere, inTitle } = letters.find(term);
  const { state, titled, hits } = scratch;
  let { hitCount } = scratch;
  const before = (step + 1) << 8;
  const after = (step + 2) << 8;
  for (let word = 0; word < anywhere.length; word++) {
    const title = inTitle[word] ?? 0;
    for (let bits = anywhere[word]!; bits !== 0; bits &= bits - 1) {
      const doc = (word << 5) + 31 - Math.clz32(bits & -bits);
      const old = state[doc]!;
      if (old < before) continue;
      if (old < after) {
        state[doc] = after + PART_SCORE;
        hits[hitCount++] = doc;
      }
      if ((title & bits & -bits) !== 0 && titled[doc] === step) titled[doc] = step + 1;
    }
  }
  scratch.hitCount = hitCount;
}

/** Joins one document that passed `step` lookups. */
export function joinOne(scratch: Scratch, doc: number, step: number, title: boolean): void {
  const { state, titled, hits } = scratch;
  const after = (step + 2) << 8;
  if (state[doc]! < after) {
    state[doc] = after;
    hits[scratch.hitCount++] = doc;
  }
  if (title && titled[doc] === step) titled[doc] = step + 1;
}

/** Adds the scores of a lookup to the documents' relevance. */
export function addScores({ state, scores, hits, hitCount }: Scratch, factor: number): void {
  for (let i = 0; i < hitCount; i++) {
    const doc = hits[i]!;
    scores[doc]! += (state[doc]! & 0xff) * factor;
  }
}
