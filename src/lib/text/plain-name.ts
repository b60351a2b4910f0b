// Names of people and things: what may be one here, and how one is shown that another tool took.

const MAX_CHARACTERS = 200;

/** On one line, and read in the order in which it is written: no name turns the words around it or those of others. */
export function isPlainName(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text);
}

/** Of any text: on one line, read in the order in which it is written, and no longer than the names of accounts. */
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
