// The spelling in which texts and queries are compared: lower case, without accents, compatibility forms decomposed.
// Both sides of a comparison are folded here and nowhere else. Folding a folded text changes nothing.
import { normalize } from '../../lib/text/stream-safe.ts';

const NOT_ASCII = /[^\x00-\x7f]/;
const NOT_ASCII_RUN = /[^\x00-\x7f]+/g;

// Marks that readers consider accents: those shared by many scripts (but not the kana voicing marks, which distinguish
// か from が), Hebrew points, Koranic signs; and invisible characters, such as the soft hyphen. The vowel signs of the
// Indic scripts are not accents and stay.
const ACCENT =
  /[[\p{M}&&\p{Script=Inherited}]--[\u3099\u309a]]|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]|\p{Default_Ignorable_Code_Point}/gv;

/** Letters that Unicode does not decompose, and typographic signs that keyboards do not have. */
const SPELLINGS: Record<string, string> = {
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
  ŋ: 'ng',
  ς: 'σ',
  '\u02bc': "'",
  '\u2018': "'",
  '\u2019': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u2010': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
};
const SPELLED = new RegExp(`[${Object.keys(SPELLINGS).join('')}]`, 'g');

// Most runs are one accented letter or one typographic sign; decomposing them each time would be half of the work of
// indexing a French text.
const MEMO_RUN_LENGTH = 3;
const MEMO_SIZE = 10_000;
const memo = new Map<string, string>();

function foldRun(run: string): string {
  if (run.length > MEMO_RUN_LENGTH) return foldSlowly(run);
  let folded = memo.get(run);
  if (folded === undefined) {
    folded = foldSlowly(run);
    if (memo.size < MEMO_SIZE) memo.set(run, folded);
  }
  return folded;
}

function foldSlowly(run: string): string {
  const plain = normalize(normalize(run, 'NFKD').toLowerCase(), 'NFKD')
    .replace(ACCENT, '')
    .replace(SPELLED, (letter) => SPELLINGS[letter]!);
  return normalize(plain, 'NFC');
}

/** `"Ærø, CAFÉ"` becomes `"aero, cafe"`. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return NOT_ASCII.test(lower) ? lower.replace(NOT_ASCII_RUN, foldRun) : lower;
}
