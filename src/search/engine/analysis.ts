// Splits a query into terms: lunr's tokenizer and pipeline with our folding as its only stage, so that an index that
// lunr builds elsewhere with this pipeline (a static site's search box) agrees with the service's. Texts are split by
// words.ts, which does the same in one pass over 100,000 documents.
import lunr from 'lunr';
import { fold } from './fold.ts';

/** Terms are separated by white space and commas; a hyphen is part of a term (lunr's own default splits there). */
lunr.tokenizer.separator = /[\s,]+/;

const foldToken: lunr.PipelineFunction = (token) => token.update(fold);
lunr.Pipeline.registerFunction(foldToken, 'fold');

/** No trimmer, stemmer or stop words: `été`, `c++` and `the` are terms. */
const pipeline = new lunr.Pipeline();
pipeline.add(foldToken);

/** The folded terms of a query, in order, without empty ones. */
export function analyseQuery(q: string): string[] {
  return pipeline
    .run(lunr.tokenizer(q))
    .map(String)
    .filter((term) => term !== '');
}
