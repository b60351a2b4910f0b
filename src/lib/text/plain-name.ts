// Names of people and things: which texts may be a name, and how the service shows a name that another tool accepted.

const MAX_CHARACTERS = 200;

/** One line, read in the order in which it is written: a name must not reverse the words around it. */
export function isPlainName(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u.test(text);
}

/** Turns any text into such a name, no longer than the names of accounts. */
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
