// Long lists as JSON, a chunk of the list each. A chunk that did not change since it was read stays where it is: making
// and writing 8 MB of JSON takes longer than the rest of a small build.
import type { StatePiece } from './pieces.ts';

const CHUNK_ITEMS = 256;

export interface ReadList<T> {
  items: T[];
  pieces: readonly StatePiece[];
}

/** `toItem` makes an item of what its JSON has. */
export function readChunks<T>(chunks: readonly Buffer[], toItem: (value: never) => T): T[] {
  const items: T[] = [];
  for (const chunk of chunks) for (const value of fromJson(chunk) as never[]) items.push(toItem(value));
  return items;
}

/** Chunks, or where they are. Items that are the objects that were read, at the same places, did not change. */
export function toChunks<T>(
  items: readonly T[],
  read: ReadList<T> | undefined,
  toValue: (item: T) => unknown,
): (Buffer | StatePiece)[] {
  const chunks: (Buffer | StatePiece)[] = [];
  for (let from = 0; from < items.length; from += CHUNK_ITEMS) {
    const to = Math.min(from + CHUNK_ITEMS, items.length);
    const known = read?.pieces[from / CHUNK_ITEMS];
    const wasAsLong = Math.min(from + CHUNK_ITEMS, read?.items.length ?? 0) === to;
    let same = known !== undefined && wasAsLong;
    for (let at = from; same && at < to; at++) same = items[at] === read!.items[at];
    chunks.push(same ? known! : toJson(items.slice(from, to).map(toValue)));
  }
  return chunks;
}

/** In Latin-1, with escapes for other characters: it is read in half the time and memory of UTF-8. */
export function toJson(value: unknown): Buffer {
  const json = JSON.stringify(value);
  const escaped = json.replace(/[^\0-\xff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return Buffer.from(escaped, 'latin1');
}

export function fromJson(bytes: Buffer): unknown {
  return JSON.parse(bytes.toString('latin1'));
}
