// A growing column of 32-bit numbers, or of cells of several of them. It grows by a quarter: doubling would leave up to
// half of it empty.
const FIRST_ROOM = 64;

export class NumberColumn {
  readonly #words: number;
  #cells: Uint32Array<ArrayBuffer>;
  /** All cells, as bytes. */
  #bytes: Buffer;
  #length = 0;

  /** `words`: 32-bit words per cell. */
  constructor(words = 1, saved: Buffer = Buffer.alloc(0)) {
    this.#words = words;
    this.#length = Math.floor(saved.length / 4 / words);
    this.#cells = new Uint32Array(Math.max(FIRST_ROOM, this.#length) * words);
    this.#bytes = Buffer.from(this.#cells.buffer);
    this.#bytes.set(saved.subarray(0, this.#length * 4 * words));
  }

  get length(): number {
    return this.#length;
  }

  get sizeBytes(): number {
    return this.#cells.byteLength;
  }

  get(at: number): number {
    return this.#cells[at]!;
  }

  set(at: number, value: number): void {
    this.#cells[at] = value;
  }

  push(value: number): void {
    const at = this.#grow();
    this.#cells[at] = value;
  }

  pushBytes(bytes: Buffer): void {
    const at = this.#grow();
    bytes.copy(this.#bytes, at * this.#words * 4);
  }

  /** Adds a cell of bytes given as hex; zeros by default. */
  pushHex(hex = ''): void {
    const at = this.#grow();
    const size = this.#words * 4;
    const start = at * size;
    const written = this.#bytes.write(hex, start, size, 'hex');
    if (written < size) this.#bytes.fill(0, start + written, start + size);
  }

  /** A view of the cell. */
  bytesAt(at: number): Buffer {
    return Buffer.from(this.#cells.buffer, at * this.#words * 4, this.#words * 4);
  }

  truncate(length: number): void {
    this.#length = Math.min(this.#length, length);
  }

  /** A copy, in the machine's byte order. */
  save(): Buffer {
    return Buffer.copyBytesFrom(this.#cells, 0, this.#length * this.#words);
  }

  #grow(): number {
    const at = this.#length++;
    const needed = this.#length * this.#words;
    if (needed > this.#cells.length) {
      const more = new Uint32Array(Math.ceil((this.#length * 5) / 4) * this.#words);
      more.set(this.#cells);
      this.#cells = more;
      this.#bytes = Buffer.from(more.buffer);
    }
    return at;
  }
}
