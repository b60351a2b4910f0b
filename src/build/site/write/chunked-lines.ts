// Long lists as lines of JSON, a chunk of the list each. A chunk that did not change since it was read is written as the
// bytes that it was read from: making 13 MB of JSON takes longer than the rest of a small build.

const CHUNK_ITEMS = 256;

export interface ReadList<T> {
  items: T[];
  lines: readonly Buffer[];
}

/** `toItem` makes an item of what its JSON has. */
export function readChunks<T>(lines: readonly Buffer[], toItem: (value: never) => T): ReadList<T> {
  const items: T[] = [];
  for (const line of lines) for (const value of JSON.parse(line.toString('utf8')) as never[]) items.push(toItem(value));
  return { items, lines };
}

/** Writes a list; `isSame` says whether an item is as it was read, at the same place. */
export function writeChunks<T>(
  items: readonly T[],
  read: ReadList<T> | undefined,
  isSame: (item: T, at: number) => boolean,
  toValue: (item: T) => unknown,
): Buffer[] {
  const lines: Buffer[] = [];
  for (let from = 0; from < items.length; from += CHUNK_ITEMS) {
    const to = Math.min(from + CHUNK_ITEMS, items.length);
    const known = read?.lines[from / CHUNK_ITEMS];
    const wasAsLong = Math.min(from + CHUNK_ITEMS, read?.items.length ?? 0) === to;
    let same = known !== undefined && wasAsLong;
    for (let at = from; same && at < to; at++) same = isSame(items[at]!, at);
    lines.push(same ? known! : Buffer.from(JSON.stringify(items.slice(from, to).map(toValue)), 'utf8'));
  }
  return lines;
}
