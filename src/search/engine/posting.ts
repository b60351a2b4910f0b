// A posting is one 32-bit number: 24 bits of document, one for "in the title", seven of impact. The impact is a word's
// BM25 score in a document, computed when the document is written, so that a query only adds.

export const DOCUMENT_SHIFT = 8;
const IN_TITLE = 0x80;
const MAX_IMPACT = 0x7f;

const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** Words in an average document. A constant, because a new average would mean writing every impact again. */
const USUAL_LENGTH = 300;
/** A word in the title counts as this many in the text. */
const TITLE_WEIGHT = 4;
/** Impacts are coarse, and lengths powers of two: near-equal documents count as equal, and the newest comes first. */
const STEP = 4;

/** How the length of a document, in words, lowers the impact of each word. */
export function normOf(length: number): number {
  const rounded = 2 ** Math.round(Math.log2(Math.max(length, 1)));
  return SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * rounded) / USUAL_LENGTH);
}

export function toPosting(doc: number, occurrences: number, inTitle: number, norm: number): number {
  const weight = occurrences + inTitle * (TITLE_WEIGHT - 1);
  const impact = Math.max(STEP, Math.round(((weight / (weight + norm)) * MAX_IMPACT) / STEP) * STEP);
  return ((doc << DOCUMENT_SHIFT) | (inTitle > 0 ? IN_TITLE : 0) | Math.min(impact, MAX_IMPACT)) >>> 0;
}

/** 1 or 0. */
export const inTitleBit = (posting: number): number => (posting >>> 7) & 1;
export const impactOf = (posting: number): number => posting & MAX_IMPACT;
