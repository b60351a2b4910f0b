// The ids of documents (decisions.md, section 4).
import { hash } from 'node:crypto';
import { customAlphabet } from 'nanoid';

const CAPITALS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ALPHABET = `0123456789${CAPITALS}${CAPITALS.toLowerCase()}`;
const LENGTH = 12;

const draw = customAlphabet(ALPHABET, LENGTH);

/** 12 letters and digits, at least one of them a capital letter, so that no id is a slug. */
export function newDocumentId(): string {
  for (;;) {
    const id = draw();
    if (/[A-Z]/.test(id)) return id;
  }
}

/** The id of a document whose file names none: the same for one commit and path for ever. */
export function derivedDocumentId(commit: string, path: string): string {
  const digest = hash('sha256', `${commit} ${path}`, 'buffer');
  const letters = Array.from(digest.subarray(0, LENGTH), (byte) => ALPHABET[byte % ALPHABET.length]!);
  letters[0] = CAPITALS[digest[0]! % CAPITALS.length]!;
  return letters.join('');
}
