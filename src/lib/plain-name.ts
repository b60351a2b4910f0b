// Names that somebody else wrote, for showing: the author of a commit of another tool may be anything that git takes.

const MAX_CHARACTERS = 200;

/** On one line, read in the order in which it is written, and no longer than the names of accounts. */
export function toPlainName(text: string): string {
  if (text.length <= MAX_CHARACTERS && /^[\x20-\x7e]*$/.test(text)) return text;
  return text
    .slice(0, 2 * MAX_CHARACTERS)
    .replace(/\p{Bidi_Control}/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed()
    .trim();
}
