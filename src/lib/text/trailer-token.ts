// Words of clients in trailers of commit messages: one word on one line.

const MAX_CHARACTERS = 100;

/** Letters and digits of any script, `.`, `_`, `-`; the rest is percent-encoded, and it is cut. */
export function toToken(text: string): string {
  return encodeToken(text.slice(0, MAX_CHARACTERS));
}

/** The same, whole; `/` stays. */
export function toPathToken(path: string): string {
  return path.split('/').map(encodeToken).join('/');
}

/** The other way round; a token that was cut in the middle of a code is what it is. */
export function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token);
  } catch (error) {
    if (error instanceof URIError) return token;
    throw error;
  }
}

/** Whole, for what somebody looks up again. */
export function encodeToken(text: string): string {
  return text.toWellFormed().replace(/[^\p{L}\p{N}._-]/gu, (char) => encodeURIComponent(char));
}
