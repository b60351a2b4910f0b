// Where words begin and end in folded text, the same for documents and queries.
//
// lunr's tokenizer and trimmer were tried and left out: the trimmer ends words at `\W`, so that `été` becomes `t`; the
// tokenizer splits `foo-bar` for good; and they take 0.06 ms per document, as long as a whole write here.

const UNKNOWN = 0;
/** White space, control characters and commas, which no term can contain. */
export const SEPARATOR = 1;
/** Letters, digits and marks of scripts that put spaces between words and have few letters. */
export const PLAIN = 2;
/** Letters of scripts that are written without spaces or have thousands of letters; these are indexed by pairs. */
export const WIDE = 3;
/** Punctuation and symbols. */
export const OTHER = 4;
const SURROGATE = 5;

const IS_SEPARATOR = /[\s\p{White_Space}\p{Cc},،、]/u;
const IS_WORD = /[\p{L}\p{N}\p{M}]/u;
const IS_WIDE =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Yi}]/u;

/** From here on scripts have hundreds of letters, so that few words contain a given letter or two. */
export const SMALL_ALPHABETS_END = 0x0e00;

/** Longer words are indexed by overlapping windows, so that a base64 text is not one word of a megabyte. */
export const LONG_WORD = 32;
const WINDOW = 2 * LONG_WORD;

const classes = new Uint8Array(0x10000);
const astral = new Map<number, number>();

function classify(char: string): number {
  if (IS_SEPARATOR.test(char)) return SEPARATOR;
  if (!IS_WORD.test(char)) return OTHER;
  // The index's letters are code units; a letter of two units is PLAIN and never paired.
  return char.length === 1 && IS_WIDE.test(char) ? WIDE : PLAIN;
}

function classOfPair(text: string, at: number): number {
  const low = text.charCodeAt(at) >= 0xdc00;
  const code = text.codePointAt(low ? at - 1 : at) ?? 0;
  if (code < 0x10000) return OTHER;
  let found = astral.get(code);
  if (found === undefined) astral.set(code, (found = classify(String.fromCodePoint(code))));
  return found;
}

/** SEPARATOR, PLAIN, WIDE or OTHER. */
export function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  let found = classes[unit]!;
  if (found === UNKNOWN) {
    const surrogate = unit >= 0xd800 && unit <= 0xdfff;
    found = classes[unit] = surrogate ? SURROGATE : classify(String.fromCharCode(unit));
  }
  return found === SURROGATE ? classOfPair(text, at) : found;
}

type Emit = (start: number, end: number) => void;

function eachRun(text: string, start: number, end: number, emit: (kind: number, from: number, to: number) => void) {
  let at = start;
  while (at < end) {
    const kind = classAt(text, at);
    const from = at++;
    while (at < end && classAt(text, at) === kind) at++;
    emit(kind, from, at);
  }
}

function eachPair(from: number, to: number, emit: Emit): void {
  if (to - from === 1) emit(from, to);
  for (let at = from; at + 2 <= to; at++) emit(at, at + 2);
}

/** The words that a chunk (text without separators) is indexed by. */
export function eachWord(text: string, start: number, end: number, emit: Emit): void {
  eachRun(text, start, end, (kind, from, to) => {
    if (kind === WIDE) eachPair(from, to, emit);
    else if (kind === PLAIN) {
      let at = from;
      for (; at + WINDOW < to; at += LONG_WORD) emit(at, at + WINDOW);
      emit(at, to);
    }
  });
}

/**
 * The words that a term is looked up by: every chunk that contains the term was indexed by words that contain these.
 */
export function eachLookup(text: string, start: number, end: number, emit: Emit): void {
  eachRun(text, start, end, (kind, from, to) => {
    if (kind === WIDE) eachPair(from, to, emit);
    else if (kind === PLAIN && to - from <= LONG_WORD) emit(from, to);
    else if (kind === PLAIN) for (let at = from; at + LONG_WORD <= to; at += LONG_WORD) emit(at, at + LONG_WORD);
  });
}

/** The longest word, window or chunk in a vocabulary. */
export const LONGEST_ENTRY = WINDOW;

/** simple: one word to the index. short: an entry of the vocabulary of chunks. long: only the kept text has it. */
export type ChunkKind = 'simple' | 'short' | 'long';

/** The chunks of a folded text: the runs between separators. All but simple ones have to be verified. */
export function eachChunk(text: string, emit: (start: number, end: number, kind: ChunkKind) => void): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const first = classAt(text, at);
    const start = at++;
    if (first === SEPARATOR) continue;
    let isUniform = first !== OTHER;
    // Sentences without spaces hardly ever occur twice; as entries they would take many times their length.
    let isWide = first === WIDE;
    for (let kind = first; at < length; at++) {
      kind = classAt(text, at);
      if (kind === SEPARATOR) break;
      if (kind !== first) isUniform = false;
      if (kind === WIDE) isWide = true;
    }
    if (isUniform && at - start <= (first === WIDE ? 2 : LONG_WORD)) emit(start, at, 'simple');
    else emit(start, at, isWide || at - start > LONGEST_ENTRY ? 'long' : 'short');
  }
}
