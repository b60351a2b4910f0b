// Unicode normalisation of untrusted texts, the only place for it. Normalising sorts the marks behind a letter, which
// takes time quadratic in their number: 600 kB of marks held the process for 100 s. So at most 30 marks in a row are
// sorted together: the Stream-Safe Text Format of UAX 15, section 13.

/** UAX 15, definition D4. No language uses half as many. */
const MAX_MARKS = 30;

/**
 * Marks, and the halfwidth voicing signs, which are letters that decompose to marks; without the joiner that splits
 * long runs, so that splitting a text again changes nothing.
 */
const MARK = '[[\\p{M}\\uff9e\\uff9f]--[\\u034f]]';
/** Looks behind first, so that each mark is counted once and not again from each mark in front of it. */
const LONG_RUN = new RegExp(`(?<!${MARK})${MARK}{${MAX_MARKS + 1},}`, 'gv');
const FULL = new RegExp(`.{${MAX_MARKS}}(?=.)`, 'gsu');
/** COMBINING GRAPHEME JOINER, a mark across which others are not sorted. */
const JOINER = '\u034f';

/** The text with a joiner after every 30 marks in a row; any other text is returned unchanged. */
export function toStreamSafe(text: string): string {
  if (text.length <= MAX_MARKS) return text;
  return text.replace(LONG_RUN, (run) => run.replace(FULL, `$&${JOINER}`));
}

/** `String.prototype.normalize` in time linear in the text's length. */
export function normalize(text: string, form: 'NFC' | 'NFD' | 'NFKD'): string {
  return toStreamSafe(text).normalize(form);
}

/** Equal for names that a file system treats as the same if it ignores case and the encoding of accents. */
export function foldName(name: string): string {
  return /^[\x20-\x7f]*$/.test(name) ? name.toLowerCase() : normalize(normalize(name, 'NFC').toLowerCase(), 'NFC');
}
