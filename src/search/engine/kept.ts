// The parts of texts that neither the vocabulary of words nor that of chunks covers: runs of scripts without spaces,
// very long words and addresses. One segment per document (its title's chunks first), searched byte by byte, so that no
// document has to be read again. Next to nothing of an English text.
import { numbersOf, type SavedPart, type SavedParts } from './index-file.ts';

const PAGE_BYTES = 1 << 16;
/** Separates chunks; no term can contain it. */
export const CHUNK_END = '\n';

/** The place of a document's segment, whose first `titleLength` bytes belong to the title. */
export interface TextSegment {
  page: number;
  start: number;
  length: number;
  titleLength: number;
}

export type KeptText = ReturnType<typeof createKeptText>;

export function createKeptText(parts?: SavedParts) {
  const numbers = (key: string) => numbersOf(parts, `kept.${key}`);
  const sizes = numbers('sizes');
  const bytes = parts?.get('kept.pages');
  const pages: (Buffer | undefined)[] = [];
  /** Number of bytes of each page that belong to existing documents. */
  const live: number[] = [...numbers('live')];
  const free: number[] = [...numbers('free')];
  let at = 0;
  for (const size of sizes) {
    pages.push(bytes && size > 0 ? Buffer.from(bytes.buffer, bytes.byteOffset + at, size) : undefined);
    at += size;
  }
  let current = numbers('current')[0] ?? -1;
  let used = numbers('used')[0] ?? PAGE_BYTES;

  function newPage(size: number): number {
    const page = free.pop() ?? pages.length;
    pages[page] = Buffer.allocUnsafeSlow(size);
    live[page] = 0;
    return page;
  }

  /** Reserves `length` bytes on one page; a long text gets a separate page. */
  function reserve(length: number): { page: number; start: number } {
    if (length > PAGE_BYTES / 4) {
      const page = newPage(length);
      live[page] = length;
      return { page, start: 0 };
    }
    if (current === -1 || used + length > PAGE_BYTES) {
      current = newPage(PAGE_BYTES);
      used = 0;
    }
    const start = used;
    used += length;
    live[current]! += length;
    return { page: current, start };
  }

  return {
    add(title: string, rest: string): TextSegment {
      const titleLength = Buffer.byteLength(title);
      const length = titleLength + Buffer.byteLength(rest);
      if (length === 0) return { page: 0, start: 0, length: 0, titleLength: 0 };
      const { page, start } = reserve(length);
      const buffer = pages[page]!;
      buffer.write(title, start);
      buffer.write(rest, start + titleLength);
      return { page, start, length, titleLength };
    },
    remove(segment: TextSegment): void {
      if (segment.length > 0) live[segment.page]! -= segment.length;
    },
    /** Whether so little of the page is still needed that its segments should move. */
    isSparse: (page: number): boolean => page !== current && live[page]! * 2 < (pages[page]?.length ?? 0),
    move(segment: TextSegment): TextSegment {
      const from = pages[segment.page]!;
      live[segment.page]! -= segment.length;
      const { page, start } = reserve(segment.length);
      from.copy(pages[page]!, start, segment.start, segment.start + segment.length);
      return { ...segment, page, start };
    },
    /** Frees the pages that no document needs any more. */
    reclaim(): void {
      for (let page = 0; page < pages.length; page++) {
        if (pages[page] === undefined || live[page] !== 0 || page === current) continue;
        pages[page] = undefined;
        free.push(page);
      }
    },

    /** Returns a search for one term. Called in the order of the segments, it reads every byte at most once. */
    finder(term: string): (segment: TextSegment) => 'title' | 'body' | undefined {
      const needle = Buffer.from(term);
      let page = -1;
      let from = 0;
      let next = 0;
      return (segment) => {
        if (segment.length < needle.length) return undefined;
        if (segment.page !== page || segment.start < from || segment.start > next) {
          page = segment.page;
          from = segment.start;
          const found = pages[page]!.indexOf(needle, from);
          next = found === -1 ? Number.POSITIVE_INFINITY : found;
        }
        if (next + needle.length > segment.start + segment.length) return undefined;
        return next < segment.start + segment.titleLength ? 'title' : 'body';
      };
    },

    bytes: () => pages.reduce((sum, page) => sum + (page?.length ?? 0), 0),
    capture(): SavedPart[] {
      const part = (key: string, array: Uint32Array): SavedPart => ({ name: `kept.${key}`, pieces: [array] });
      return [
        part(
          'sizes',
          Uint32Array.from(pages, (page) => page?.length ?? 0),
        ),
        part('live', new Uint32Array(live)),
        part('free', new Uint32Array(free)),
        part('current', Uint32Array.of(current === -1 ? 0 : current)),
        part('used', Uint32Array.of(current === -1 ? PAGE_BYTES : used)),
        { name: 'kept.pages', pieces: pages.filter((page) => page !== undefined) },
      ];
    },
  };
}
