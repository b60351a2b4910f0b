// Bounds the headers of a multipart body's parts (RFC 2046, section 5.1). The parser does not, and the time it takes to
// find names in them grows with the square of their length.

/** File names have at most 255 bytes, three times as many when encoded. */
const MAX_HEADER_BYTES = 8 << 10;
const BOUNDARY = /boundary=(?:"([^"]+)"|([^;]+))/i;
const LINE = Buffer.from('\r\n');
const END = Buffer.from('\r\n\r\n');

/** Reads the body chunk by chunk; returns true once the headers of a part are longer than 8 KiB. */
export function createHeaderWatch(contentType: string): (chunk: Buffer) => boolean {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? [];
  const delimiter = Buffer.from(`\r\n--${quoted ?? bare ?? ''}`);
  let isInHeaders = false;
  let headerBytes = 0;
  /** The end of the last chunk, where a match may begin. At first a line break, because no line precedes the first. */
  let rest: Buffer = LINE;

  return (chunk) => {
    const data = Buffer.concat([rest, chunk]);
    let at = 0;
    for (;;) {
      const wanted = isInHeaders ? END : delimiter;
      const found = data.indexOf(wanted, at);
      const end = found < 0 ? Math.max(at, data.length - wanted.length + 1) : found;
      if (isInHeaders) headerBytes += end - at;
      if (headerBytes > MAX_HEADER_BYTES) return true;
      if (found < 0) {
        rest = data.subarray(end);
        return false;
      }
      // A part may be empty: the line break that ends its headers then begins the next delimiter.
      at = isInHeaders ? found + LINE.length : found + delimiter.length;
      isInHeaders = !isInHeaders;
      headerBytes = 0;
    }
  };
}
