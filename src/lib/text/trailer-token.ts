// Words from clients in trailers of commit messages: one word on one line.

const MAX_CHARACTERS = 100;

/** Keeps letters and digits of any script, `.`, `_`, `-`; percent-encodes the rest, and cuts the result. */
export function toToken(text: string): string {
  return encodeToken(text.slice(0, MAX_CHARACTERS));
}

/** The same without the cut; keeps `/`. */
export function toPathToken(path: string): string {
  return path.split('/').map(encodeToken).join('/');
}

/** The inverse; returns a token that was cut in the middle of a code unchanged. */
export function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch (error) {
    if (error instanceof URIError) return token;
    throw error;
  }
}

/** Not cut; for words that are looked up again. */
export function encodeToken(text: string): string {
  return text.toWellFormed().replace(/[^\p{L}\p{N}._-]/gu, (char) => encodeURIComponent(char));
}
