// Scalars of front matter, as the printer writes them: YAML 1.1 and 1.2 read the same value from each. Pure.

/** Words that YAML 1.1 or 1.2 reads as another type. */
const WORDS = /^(?:y|yes|n|no|on|off|true|false|null)$/i;
/** A letter, then characters without a meaning in YAML; `:` and `#` only inside of a word. */
const PLAIN = /^\p{L}(?:[\p{L}\p{M}\p{N}\p{P}\p{S} ](?<![:#[\]{}])|:(?=[\p{L}\p{M}\p{N}/])|(?<! )#)*(?<! )$/u;
const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** Characters that JSON writes plainly and YAML does not allow, or reads as the end of a line. */
const ODD = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;
/** A text that cannot be a `|` block: characters that need an escape, lines of spaces, a tab at the start. */
const NO_BLOCK = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]|^\t|^[ \t]+$/m;
/** YAML allows an implicit key 1,024 characters, with its quotes. */
const LONGEST_KEY = 1000;

export function isPlain(text: string): boolean {
  return PLAIN.test(text) && !WORDS.test(text);
}

export function isPlainKey(key: string): boolean {
  return PLAIN_KEY.test(key) && !WORDS.test(key);
}

export function toKey(key: string): string {
  return isPlainKey(key) ? key : quote(key);
}

/** Whether a key, as written, has to follow a question mark. */
export function isLongKey(written: string): boolean {
  return written.length > LONGEST_KEY;
}

/** The text in double quotes; YAML has JSON's escapes. */
export function quote(text: string): string {
  return JSON.stringify(text).replace(ODD, (odd) => `\\u${odd.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Whether the text is written as a `|` block. */
export function isBlock(text: string): boolean {
  return text.includes('\n') && /[^\n]/.test(text) && !NO_BLOCK.test(text) && text.isWellFormed();
}

/** YAML 1.1 wants a point in a number with an exponent; JSON has no negative zero. */
export function toNumber(value: number): string {
  return Object.is(value, -0) ? '-0.0' : JSON.stringify(value).replace(/^(-?\d+)e/, '$1.0e');
}
