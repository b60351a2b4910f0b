// Numbers for terms, looked up by their place in a text. Most words of a text are terms that were met before: making a
// string of each, to look it up in a map, takes as long as all else that is done about it.

export interface TermTable {
  /** The number of the term at this place of a text; the next free one if it is new. */
  numberOf(text: string, start: number, end: number): number;
  /** By number. */
  readonly terms: readonly string[];
}

/** At most half of the slots are taken. */
const FIRST_SLOTS = 1 << 12;

export function createTermTable(): TermTable {
  const terms: string[] = [];
  let hashes = new Int32Array(FIRST_SLOTS / 2);
  /** A term's number plus one, at its hash or behind it. */
  let slots = new Int32Array(FIRST_SLOTS);

  function place(number: number): void {
    const last = slots.length - 1;
    let at = hashes[number]! & last;
    while (slots[at] !== 0) at = (at + 1) & last;
    slots[at] = number + 1;
  }

  function add(term: string, hash: number): number {
    const number = terms.push(term) - 1;
    if (number === hashes.length) {
      const longer = new Int32Array(2 * number);
      longer.set(hashes);
      hashes = longer;
      slots = new Int32Array(2 * slots.length);
      for (let known = 0; known < number; known++) place(known);
    }
    hashes[number] = hash;
    place(number);
    return number;
  }

  return {
    terms,
    numberOf(text, start, end) {
      // The steps of MurmurHash3, so that terms that differ in one letter are not beside each other.
      let hash = end - start;
      for (let at = start; at < end; at++) {
        hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995);
        hash ^= hash >>> 15;
      }
      const last = slots.length - 1;
      for (let at = hash & last; ; at = (at + 1) & last) {
        const number = slots[at]! - 1;
        if (number < 0) return add(text.slice(start, end), hash);
        if (hashes[number] === hash && isAt(text, start, end, terms[number]!)) return number;
      }
    },
  };
}

function isAt(text: string, start: number, end: number, term: string): boolean {
  if (term.length !== end - start) return false;
  for (let at = 0; at < term.length; at++) if (text.charCodeAt(start + at) !== term.charCodeAt(at)) return false;
  return true;
}
