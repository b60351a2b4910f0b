// Well-formed language tags (BCP 47, RFC 5646 section 2.1). Intl knows the grammar of Unicode locale identifiers, which
// lacks two kinds that BCP 47 has: tags for private use alone, and the irregular ones that predate the grammar.

const PRIVATE_USE = /^x(?:-[a-z0-9]{1,8})+$/i;
const IRREGULAR =
  /^(?:en-gb-oed|i-(?:ami|bnn|default|enochian|hak|klingon|lux|mingo|navajo|pwn|tao|tay|tsu)|sgn-(?:be-fr|be-nl|ch-de))$/i;

/** RFC 5646 sets no bound, and no real tag is a tenth as long. */
const MAX_LENGTH = 200;

export function isLocale(text: string): boolean {
  if (text.length > MAX_LENGTH) return false;
  if (PRIVATE_USE.test(text) || IRREGULAR.test(text)) return true;
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
