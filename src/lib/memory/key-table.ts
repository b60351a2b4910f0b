// Keys of one width (commit ids, document ids), numbered in the order in which they were added: the keys lie one after
// another in one buffer, with a hash table of numbers over them. 28 bytes a commit; a Map of strings needs five times
// as much.
import { fnv1aOfBytes } from '../fnv1a.ts';

const EMPTY = 0xffffffff;
const FIRST_ROOM = 64;

export class KeyTable {
  readonly #width: number;
  #keys: Buffer;
  #size = 0;
  /** Numbers by hash, open addressing; its length is a power of two. */
  #slots: Uint32Array<ArrayBuffer>;

  constructor(width: number, keys: Buffer = Buffer.alloc(0)) {
    this.#width = width;
    this.#size = Math.floor(keys.length / width);
    this.#keys = Buffer.allocUnsafeSlow(Math.max(FIRST_ROOM * width, keys.length));
    keys.copy(this.#keys);
    this.#slots = this.#hashed();
  }

  get size(): number {
    return this.#size;
  }

  /** All keys, one after another; a view that the next `add` may make stale. */
  get bytes(): Buffer {
    return this.#keys.subarray(0, this.#size * this.#width);
  }

  get sizeBytes(): number {
    return this.#keys.length + this.#slots.byteLength;
  }

  /** A view of the key. */
  keyOf(number: number): Buffer {
    return this.#keys.subarray(number * this.#width, (number + 1) * this.#width);
  }

  /** The key's number, or -1. */
  find(key: Buffer): number {
    if (key.length !== this.#width) return -1;
    const number = this.#slots[this.#slotOf(key)]!;
    return number === EMPTY ? -1 : number;
  }

  /** Returns the number of the key, which it adds if it is new. */
  add(key: Buffer): number {
    if (key.length !== this.#width) throw new Error(`a key of ${key.length} bytes, not ${this.#width}`);
    const slot = this.#slotOf(key);
    const known = this.#slots[slot]!;
    if (known !== EMPTY) return known;
    const number = this.#size++;
    const end = this.#size * this.#width;
    if (end > this.#keys.length) {
      const more = Buffer.allocUnsafeSlow(Math.ceil((end * 5) / 4 / this.#width) * this.#width);
      this.#keys.copy(more);
      this.#keys = more;
    }
    key.copy(this.#keys, number * this.#width);
    this.#slots[slot] = number;
    if (this.#size * 4 > this.#slots.length * 3) this.#slots = this.#hashed();
    return number;
  }

  /** Removes all keys from this number on. */
  truncate(size: number): void {
    if (size >= this.#size) return;
    this.#size = size;
    this.#slots = this.#hashed();
  }

  #hashed(): Uint32Array<ArrayBuffer> {
    let length = FIRST_ROOM;
    while (this.#size * 4 > length * 3) length *= 2;
    const slots = new Uint32Array(length).fill(EMPTY);
    const mask = length - 1;
    // At a start these are all keys of a large log: skips making views of them, and compares none, because they differ.
    for (let number = 0; number < this.#size; number++) {
      let slot = this.#hashOf(this.#keys, number * this.#width) & mask;
      while (slots[slot] !== EMPTY) slot = (slot + 1) & mask;
      slots[slot] = number;
    }
    return slots;
  }

  /** The slot that has the key's number, or where it belongs. */
  #slotOf(key: Buffer): number {
    const mask = this.#slots.length - 1;
    for (let slot = this.#hashOf(key, 0) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]!;
      if (number === EMPTY || this.#isAt(number, key)) return slot;
    }
  }

  /** FNV-1a: document ids are text, whose bytes differ only in a few bits. */
  #hashOf(bytes: Buffer, from: number): number {
    const hash = fnv1aOfBytes(bytes, from, from + this.#width);
    return hash ^ (hash >>> 15);
  }

  #isAt(number: number, key: Buffer): boolean {
    const at = number * this.#width;
    for (let i = 0; i < this.#width; i++) if (this.#keys[at + i] !== key[i]) return false;
    return true;
  }
}
