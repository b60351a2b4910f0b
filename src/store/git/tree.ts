// A git tree that is edited in place: one contiguous buffer in git's own format with a sparse index over it, so that a
// change in a directory of 100,000 documents costs a search, a move and one SHA-1, never a parse. Format: entries of
// `<mode> <name>\0<20-byte id>`, ordered by the bytes of the name; a directory sorts as if its name ended in `/`.
import { createHash, type Hash, hash } from 'node:crypto';
import type { Oid } from './objects.ts';
import type { TreeEdit } from './tree-edit.ts';
import { mergeTree } from './tree-merge.ts';

export interface TreeEntry {
  /** `100644`, `100755`, `120000`, `160000` or `40000`. */
  mode: string;
  name: string;
  oid: Oid;
}

export const TREE_MODE = '40000';
export const FILE_MODE = '100644';

/** Space before the entries for the object header `tree <size>\0`. */
const HEADER_ROOM = 32;
/** Entries per chunk of the sparse index; a search reads half a chunk. */
const CHUNK_ENTRIES = 16;
/** A tree of this size or more is hashed from its first change on, because SHA-1's state is kept at several places. */
const KEEP_STATES_BYTES = 48 << 10;
/** Number of these places. */
const MAX_STATES = 16;
/** The least distance between two of them, in bytes. */
const MIN_STATE_STEP = 16 << 10;

interface Chunk {
  offset: number;
  /** Sort key of its first entry. */
  key: string;
  entries: number;
}

export class MutableTree {
  #buffer: Buffer;
  #length: number;
  #chunks: Chunk[] = [];
  /** SHA-1 of the header and the first `i * step` bytes of the content. */
  #states: Hash[] = [];
  #stateStep = 0;

  constructor(content: Buffer = Buffer.alloc(0)) {
    this.#buffer = Buffer.allocUnsafeSlow(HEADER_ROOM + content.length + Math.max(256, content.length >> 4));
    content.copy(this.#buffer, HEADER_ROOM);
    this.#length = content.length;
    this.#index();
  }

  get sizeBytes(): number {
    return this.#length;
  }

  /** The entries' bytes, as a view that the next edit changes. */
  get content(): Buffer {
    return this.#buffer.subarray(HEADER_ROOM, HEADER_ROOM + this.#length);
  }

  oid(): Oid {
    const header = `tree ${this.#length}\0`;
    this.#buffer.write(header, HEADER_ROOM - header.length, 'latin1');
    if (this.#length >= KEEP_STATES_BYTES) return this.#hashOn(header);
    return hash('sha1', this.#buffer.subarray(HEADER_ROOM - header.length, HEADER_ROOM + this.#length));
  }

  /** Continues from the last valid state: most changes keep the length and the first half of the bytes. */
  #hashOn(header: string): Oid {
    if (this.#states.length === 0) {
      this.#stateStep = Math.max(MIN_STATE_STEP, Math.ceil(this.#length / MAX_STATES));
      this.#states.push(createHash('sha1').update(header, 'latin1'));
    }
    let at = (this.#states.length - 1) * this.#stateStep;
    const state = this.#states.at(-1)!.copy();
    for (let end = at + this.#stateStep; end < this.#length; end += this.#stateStep) {
      this.#states.push(state.update(this.#buffer.subarray(HEADER_ROOM + at, HEADER_ROOM + end)).copy());
      at = end;
    }
    return state.update(this.#buffer.subarray(HEADER_ROOM + at, HEADER_ROOM + this.#length)).digest('hex');
  }

  /**
   * Finds a directory's entry or a file's (which may be a link or a submodule): a valid tree has at most one of them.
   */
  find(name: string, isDirectory: boolean): TreeEntry | undefined {
    const found = this.#seek(toKey(name, isDirectory));
    return found.exact ? this.#entryAt(found.at) : undefined;
  }

  /** Adds the entry or points it at another object; returns undefined if nothing changes. */
  set(name: string, mode: string, oid: Oid): TreeEdit | undefined {
    const key = toKey(name, mode === TREE_MODE);
    const found = this.#seek(key);
    const bytes = encodeTreeEntry(name, mode, oid);
    let edit: TreeEdit;
    if (found.exact) {
      const end = this.#endOf(found.at);
      const old = this.content.subarray(found.at, end);
      if (old.equals(bytes)) return undefined;
      const sameHead =
        end - found.at === bytes.length && old.compare(bytes, 0, bytes.length - 20, 0, bytes.length - 20) === 0;
      const skip = sameHead ? bytes.length - 20 : 0;
      edit = { at: found.at + skip, removed: Buffer.from(old.subarray(skip)), inserted: bytes.subarray(skip) };
      this.#splice(edit);
      this.#shift(found.chunk + 1, bytes.length - (end - found.at));
    } else {
      edit = { at: found.at, removed: Buffer.alloc(0), inserted: bytes };
      this.#splice(edit);
      this.#added(found.chunk, found.at, key, bytes.length);
    }
    return edit;
  }

  /** Removes a file's or a directory's entry; returns undefined if it does not exist. */
  delete(name: string, isDirectory: boolean): TreeEdit | undefined {
    const found = this.#seek(toKey(name, isDirectory));
    if (!found.exact) return undefined;
    const edit = {
      at: found.at,
      removed: Buffer.from(this.content.subarray(found.at, this.#endOf(found.at))),
      inserted: Buffer.alloc(0),
    };
    this.#splice(edit);
    const chunk = this.#chunks[found.chunk]!;
    chunk.entries--;
    this.#shift(found.chunk + 1, -edit.removed.length);
    if (chunk.entries === 0) this.#chunks.splice(found.chunk, 1);
    else if (chunk.offset === found.at) chunk.key = this.#keyAt(found.at);
    return edit;
  }

  /** Removes all entries; returns undefined if the tree is empty. */
  clear(): TreeEdit | undefined {
    if (this.#length === 0) return undefined;
    const edit = { at: 0, removed: Buffer.from(this.content), inserted: Buffer.alloc(0) };
    this.#splice(edit);
    this.#index();
    return edit;
  }

  /** Makes many changes in one pass and one edit: made one by one, each would move half of a wide directory. */
  merge(changes: ReadonlyMap<string, Buffer | null>): TreeEdit | undefined {
    const edit = mergeTree(this.content, changes);
    if (!edit) return undefined;
    this.#splice(edit);
    this.#index();
    return edit;
  }

  /** Applies an edit that was made on another copy of the tree, or an inverted edit. */
  apply(edit: TreeEdit): void {
    this.#splice(edit);
  }

  /** Rebuilds the index: necessary after `apply`, before the next lookup. */
  reindex(): void {
    this.#index();
  }

  *entries(): Generator<TreeEntry> {
    for (let at = 0; at < this.#length; at = this.#endOf(at)) yield this.#entryAt(at);
  }

  #splice(edit: TreeEdit): void {
    const grow = edit.inserted.length - edit.removed.length;
    const start = HEADER_ROOM + edit.at;
    if (grow !== 0) {
      const needed = HEADER_ROOM + this.#length + grow;
      if (needed > this.#buffer.length) {
        const bigger = Buffer.allocUnsafeSlow(needed + Math.max(1024, needed >> 3));
        this.#buffer.copy(bigger, 0, 0, HEADER_ROOM + this.#length);
        this.#buffer = bigger;
      }
      this.#buffer.copyWithin(start + edit.inserted.length, start + edit.removed.length, HEADER_ROOM + this.#length);
      this.#length += grow;
    }
    edit.inserted.copy(this.#buffer, start);
    const kept = grow === 0 && this.#stateStep ? Math.floor(edit.at / this.#stateStep) + 1 : 0;
    if (kept < this.#states.length) this.#states.length = kept;
  }

  #index(): void {
    this.#chunks = [];
    let chunk: Chunk | undefined;
    for (let at = 0; at < this.#length; at = this.#endOf(at)) {
      if (!chunk || chunk.entries === CHUNK_ENTRIES) {
        chunk = { offset: at, key: this.#keyAt(at), entries: 0 };
        this.#chunks.push(chunk);
      }
      chunk.entries++;
    }
  }

  #added(index: number, at: number, key: string, length: number): void {
    const chunk = this.#chunks[index];
    if (!chunk) {
      this.#chunks.push({ offset: at, key, entries: 1 });
      return;
    }
    chunk.entries++;
    if (at === chunk.offset) chunk.key = key;
    this.#shift(index + 1, length);
    if (chunk.entries >= CHUNK_ENTRIES * 2) this.#split(index);
  }

  #split(index: number): void {
    const chunk = this.#chunks[index]!;
    const half = chunk.entries >> 1;
    let at = chunk.offset;
    for (let i = 0; i < half; i++) at = this.#endOf(at);
    this.#chunks.splice(index + 1, 0, { offset: at, key: this.#keyAt(at), entries: chunk.entries - half });
    chunk.entries = half;
  }

  #shift(from: number, by: number): void {
    if (by === 0) return;
    for (let i = from; i < this.#chunks.length; i++) this.#chunks[i]!.offset += by;
  }

  /** The place where the key is or would be, and its chunk. */
  #seek(key: string): { at: number; exact: boolean; chunk: number } {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#chunks[middle]!.key <= key) low = middle + 1;
      else high = middle;
    }
    const index = Math.max(0, low - 1);
    const chunk = this.#chunks[index];
    let at = chunk?.offset ?? 0;
    for (let i = chunk?.entries ?? 0; i > 0; i--) {
      const here = this.#keyAt(at);
      if (here === key) return { at, exact: true, chunk: index };
      if (here > key) break;
      at = this.#endOf(at);
    }
    return { at, exact: false, chunk: index };
  }

  #keyAt(at: number): string {
    const start = HEADER_ROOM + at;
    const space = this.#buffer.indexOf(32, start);
    const name = this.#buffer.toString('latin1', space + 1, this.#buffer.indexOf(0, space));
    return this.#buffer[start] === 52 ? `${name}/` : name; // 52 is `4`: only directories' modes start with it
  }

  #endOf(at: number): number {
    return this.#buffer.indexOf(0, HEADER_ROOM + at) + 21 - HEADER_ROOM;
  }

  #entryAt(at: number): TreeEntry {
    const start = HEADER_ROOM + at;
    const space = this.#buffer.indexOf(32, start);
    const zero = this.#buffer.indexOf(0, space);
    return {
      mode: this.#buffer.toString('latin1', start, space),
      name: this.#buffer.toString('utf8', space + 1, zero),
      oid: this.#buffer.toString('hex', zero + 1, zero + 21),
    };
  }
}

export function invertEdit(edit: TreeEdit): TreeEdit {
  return { at: edit.at, removed: edit.inserted, inserted: edit.removed };
}

export function parseTree(content: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < content.length; ) {
    const space = content.indexOf(32, at);
    const zero = content.indexOf(0, space);
    if (space < 0 || zero < 0 || zero + 21 > content.length) throw new Error('tree object is damaged');
    entries.push({
      mode: content.toString('latin1', at, space),
      name: content.toString('utf8', space + 1, zero),
      oid: content.toString('hex', zero + 1, zero + 21),
    });
    at = zero + 21;
  }
  return entries;
}

/** The sort key of an entry: the name's bytes, one character per byte, followed by a slash for a directory. */
export function toKey(name: string, isDirectory: boolean): string {
  return isDirectory ? `${toBytesText(name)}/` : toBytesText(name);
}

export function encodeTreeEntry(name: string, mode: string, oid: Oid): Buffer {
  const text = toBytesText(name);
  const bytes = Buffer.allocUnsafe(mode.length + text.length + 22);
  bytes.write(`${mode} ${text}\0`, 0, 'latin1');
  bytes.write(oid, bytes.length - 20, 'hex');
  return bytes;
}

/** UTF-8 bytes as a string of one character per byte, so that comparing strings compares bytes. */
function toBytesText(name: string): string {
  return /^[\x00-\x7f]*$/.test(name) ? name : Buffer.from(name, 'utf8').toString('latin1');
}
