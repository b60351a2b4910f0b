// Ranges of bytes (RFC 9110, section 14): which part of a representation a request asks for.

/** Both ends are inclusive. */
export interface ByteRange {
  start: number;
  end: number;
}

/** No two runs of spaces are adjacent: a header full of spaces could be split between them in as many ways. */
const SINGLE = /^bytes\s*=\s*(?:(\d+)\s*)?-\s*(\d*)\s*$/i;

/**
 * Returns undefined if the whole file should be sent: no range, another unit, nonsense, or several ranges, which a
 * server may answer with the whole. Returns 'none' if the range begins after the end.
 */
export function parseRange(header: string, sizeBytes: number): ByteRange | 'none' | undefined {
  const [, first = '', last = ''] = SINGLE.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'none' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= sizeBytes ? 'none' : { start, end };
}

/** If-Range holds only for this exact entity tag: we send no dates to compare with. */
export function holdsIfRange(header: string, etag: string): boolean {
  return header === '' || header.trim() === etag;
}
