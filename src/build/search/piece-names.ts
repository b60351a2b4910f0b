// Which piece a term is in. Terms are in groups: those that share two letters, or, in scripts with thousands of letters,
// those whose first letter is among the same sixteen. A group is one piece until it is too big; then there are pieces
// of one letter more, and so on. Small groups are in one piece with others of their first letter. The client (client.js)
// finds pieces by the same names.
import { classAt, WIDE } from '../../search/engine/words.ts';

/** How the terms begin that are in a term's piece at a level, the group's being 0. No letter is common to a block. */
export function prefixAt(term: string, level: number): string {
  if (classAt(term, 0) === WIDE) return term.slice(0, level);
  return term.slice(0, level + 2);
}

/**
 * The name of that piece, which is its file's without the ending: of `[a-z0-9-]` alone, and none that Windows reserves,
 * such as `con`. The names of smaller pieces begin with those of the larger and a hyphen.
 */
export function pieceNameAt(term: string, level: number): string {
  const prefix = prefixAt(term, level);
  if (classAt(term, 0) === WIDE) {
    const code = term.charCodeAt(0);
    const block = `w-${(code >> 4).toString(16)}`;
    return [
      block,
      ...Array.from(prefix, (letter, at) => (at === 0 ? code & 15 : letter.charCodeAt(0)).toString(16)),
    ].join('-');
  }
  if (/^[a-z0-9]+$/.test(prefix)) return prefix.length > 2 ? `${prefix.slice(0, 2)}-${prefix.slice(2)}` : prefix;
  return ['u', ...Array.from({ length: prefix.length }, (_, at) => prefix.charCodeAt(at).toString(16))].join('-');
}

/** The piece that a group is in while it is small: that of its first letter, which has the letter as a word too. */
export function sharedPieceOf(group: string): string | undefined {
  const [first = '', second = ''] = group.split('-');
  if (second === '') return group.slice(0, 1);
  return first === 'u' ? `${first}-${second}` : undefined;
}
