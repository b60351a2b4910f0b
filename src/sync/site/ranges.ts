// Conditional requests and ranges of bytes (RFC 9110, sections 13 and 14).

/** Both ends are inclusive. */
export interface SentRange {
  start: number;
  end: number;
}

/** If-None-Match: whether the client's copy is still current. */
export function isCurrent(header: string | undefined, etag: string): boolean {
  if (header === undefined || header === '') return false;
  if (header.trim() === '*') return true;
  return (header.match(/"[^"]*"/g) ?? ([] as string[])).includes(etag);
}

/**
 * Undefined if the whole file is sent: no range, another unit, nonsense, several ranges, or an If-Range that does not
 * hold. 'none' if the range begins after the end.
 */
export function rangeOf(
  { range = '', 'if-range': condition }: { range?: string | undefined; 'if-range'?: string | undefined },
  { etag, sizeBytes }: { etag: string; sizeBytes: number },
): SentRange | 'none' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(range.trim()) ?? [];
  if ((first === '' && last === '') || (condition !== undefined && condition.trim() !== etag)) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    return length === 0 ? 'none' : { start: sizeBytes - length, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  return start >= sizeBytes
    ? 'none'
    : { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}
