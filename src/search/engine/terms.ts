// Turns the text of a query into what to look up and what to verify.
import { invalid } from '../../lib/errors.ts';
import { analyseQuery } from './analysis.ts';
import { eachChunk, eachLookup } from './words.ts';

/** Nobody types more; a longer text was pasted and would only keep the service busy. */
export const MAX_QUERY_LENGTH = 1000;
export const MAX_TERMS = 32;
/** Further words of a term are left to its verification. With the number of terms this bounds the work of a query. */
const MAX_LOOKUPS_PER_TERM = 6;

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

export interface Terms {
  /** Runs of letters and digits; each has to be part of a word. */
  lookups: string[];
  /** Terms that are not one word to the index; each has to appear in the text. */
  checks: string[];
}

/** Throws `invalid_input` for a query without any letter or digit and for one that is out of bounds. */
export function parseTerms(q: string): Terms {
  if (q.length > MAX_QUERY_LENGTH) throw invalid(`q is longer than ${MAX_QUERY_LENGTH} characters`);
  const analysed = analyseQuery(q);
  if (!analysed.some((term) => LETTER_OR_DIGIT.test(term))) throw invalid('q has no letter or digit to search for');
  const terms = new Map<string, boolean>();
  for (const term of analysed) {
    eachChunk(term, (start, end, kind) => terms.set(term.slice(start, end), kind === 'simple'));
  }
  if (terms.size > MAX_TERMS) throw invalid(`q has more than ${MAX_TERMS} terms`);
  const lookups = new Set<string>();
  const checks: string[] = [];
  for (const [term, isSimple] of terms) {
    const words = new Set<string>();
    eachLookup(term, 0, term.length, (start, end) => words.add(term.slice(start, end)));
    // The longest words are the most selective.
    const longest = [...words].sort((a, b) => b.length - a.length).slice(0, MAX_LOOKUPS_PER_TERM);
    for (const word of longest) lookups.add(word);
    if (!isSimple) checks.push(term);
  }
  return { lookups: [...lookups], checks };
}
