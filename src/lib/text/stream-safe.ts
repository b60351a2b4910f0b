// Unicode normalisation of strangers' texts, the only place for it. Normalising sorts the marks behind a letter, which takes
// the square of their number: 600 kB of marks held the process for 100 s. So at most 30 marks in a row are sorted
// together: the Stream-Safe Text Format of UAX 15, section 13.

/** UAX 15, definition D4. No language has half as many. */
const MAX_MARKS = 30;

/**
 * Marks, and the halfwidth voicing signs, which are letters that decompose to marks; less the joiner that parts long runs
 * of them, so that parting them again changes nothing.
 */
const MARK = '[[\\p{M}\\uff9e\\uff9f]--[\\u034f]]';
/** Looks behind first, so that each mark is counted once and not again from each of those in front of it. */
const LONG_RUN = new RegExp(`(?<!${MARK})${MARK}{${MAX_MARKS + 1},}`, 'gv');
const FULL = new RegExp(`.{${MAX_MARKS}}(?=.)`, 'gsu');
/** COMBINING GRAPHEME JOINER, a mark that others are not sorted across. */
const JOINER = '\u034f';

/** The text with a joiner behind every 30 marks in a row; every other text is returned as it is. */
export function toStreamSafe(text: string): string {
  if (text.length <= MAX_MARKS) return text;
  return text.replace(LONG_RUN, (run) => run.replace(FULL, `$&${JOINER}`));
}

/** `String.prototype.normalize` in a time that grows with the text's length. */
export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKD'): string {
  return toStreamSafe(text).normalize(form);
}

/** Equal for names that are the same name to a file system that ignores case and the way accents are written. */
export function foldName(name: string): string {
  return /^[\x20-\x7f]*$/.test(name) ? name.toLowerCase() : normalize(normalize(name, 'NFC').toLowerCase(), 'NFC');
}
