// A set of slots (slots.ts) as bits: 100,000 documents are 12 KB, so that whole sets are made and compared in less than
// a millisecond without a look at the documents themselves.

export class SlotSet {
  readonly #words: Uint32Array;

  /** Slots must be below `capacity`. */
  constructor(capacity: number) {
    this.#words = new Uint32Array((capacity + 31) >>> 5);
  }

  add(slot: number): void {
    this.#words[slot >>> 5]! |= 1 << (slot & 31);
  }

  addAll(slots: readonly number[], from: number, to: number): void {
    const words = this.#words;
    for (let at = from; at < to; at++) {
      const slot = slots[at]!;
      words[slot >>> 5]! |= 1 << (slot & 31);
    }
  }

  has(slot: number): boolean {
    return (this.#words[slot >>> 5]! & (1 << (slot & 31))) !== 0;
  }

  /** Keeps what the other set has too or, with `isNegated`, what it has not. */
  keep(other: SlotSet, isNegated: boolean): void {
    const flip = isNegated ? -1 : 0;
    for (let at = 0; at < this.#words.length; at++) this.#words[at]! &= other.#words[at]! ^ flip;
  }

  /** How many slots both sets have. */
  countIn(other: SlotSet): number {
    let count = 0;
    for (const [at, word] of this.#words.entries()) {
      const both = word & other.#words[at]!;
      if (both !== 0) count += bitsIn(both);
    }
    return count;
  }

  /** Adds what the other set has. */
  join(other: SlotSet): void {
    for (let at = 0; at < this.#words.length; at++) this.#words[at]! |= other.#words[at]!;
  }

  copy(): SlotSet {
    const copy = new SlotSet(this.#words.length * 32);
    copy.#words.set(this.#words);
    return copy;
  }

  count(): number {
    let count = 0;
    for (const word of this.#words) if (word !== 0) count += bitsIn(word);
    return count;
  }

  /** All slots, ascending. */
  *slots(): Generator<number> {
    for (const [at, word] of this.#words.entries()) {
      for (let rest = word; rest !== 0; rest &= rest - 1) yield at * 32 + 31 - Math.clz32(rest & -rest);
    }
  }
}

/** Adds neighbouring bits, then pairs, then bytes: Hacker's Delight, figure 5-2. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
