// Parses the body that an HTML form sends (WHATWG URL, "application/x-www-form-urlencoded"), strictly: bytes that are
// not UTF-8 are refused, not replaced. And the one of FormData (RFC 7578), in one pass over the bytes: the platform's
// parser builds objects for as many parts as a body has room for, before anyone can count them. Forms take no files.
import { invalid } from '../lib/errors.ts';
import type { SentFields } from './check-fields.ts';

/** More than any form has, and few enough to be parsed in a millisecond. */
const MAX_PAIRS = 1000;

export interface FormPart {
  name: string;
  /** Undefined unless the part is a file. */
  fileName: string | undefined;
  value: Buffer;
}

/** One header with a name, and for a file its type. */
const MAX_HEADER_BYTES = 2 << 10;
const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i;
const DISPOSITION = /^content-disposition:[ \t]*form-data;/i;
const LINE = '\r\n';

/** @throws ServiceError invalid_input */
export function parseUrlencoded(bytes: Buffer): SentFields {
  // The sender should have encoded everything but ASCII; UTF-8 that it did not encode is accepted as text.
  const text = decode(bytes);
  const pairs = text.split('&', MAX_PAIRS + 1);
  if (pairs.length > MAX_PAIRS) throw invalid(`body has more than ${MAX_PAIRS} fields`);
  const values: Record<string, string> = Object.create(null);
  const repeated = new Set<string>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decodePart(split < 0 ? pair : pair.slice(0, split));
    if (name in values) repeated.add(name);
    values[name] = split < 0 ? '' : decodePart(pair.slice(split + 1));
  }
  return { values, repeated };
}

/** @throws ServiceError invalid_input */
export function parseMultipart(bytes: Buffer, contentType: string): SentFields {
  const values: Record<string, string> = Object.create(null);
  const repeated = new Set<string>();
  let count = 0;
  for (const { name, fileName, value } of readParts(bytes, contentType)) {
    if (++count > MAX_PAIRS) throw invalid(`body has more than ${MAX_PAIRS} fields`);
    if (fileName !== undefined) {
      // A browser sends an empty file for a file input that nobody used.
      if (value.length === 0 && fileName === '') continue;
      throw invalid([{ path: name, message: 'is a file, which forms do not take' }]);
    }
    if (name in values) repeated.add(name);
    values[name] = decode(value);
  }
  return { values, repeated };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) throw invalid('body is not valid percent-encoded UTF-8');
    throw error;
  }
}

/** Yields the parts one by one. @throws ServiceError 400 if the body breaks off or is of another form */
export function* readParts(body: Buffer, contentType: string): Generator<FormPart> {
  const [, quoted, bare] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) throw malformed();
  const delimiter = Buffer.from(`${LINE}--${boundary}`, 'latin1');
  // No line break needs to precede the first delimiter.
  const first = body.subarray(0, LINE.length).toString('latin1') === LINE ? delimiter : delimiter.subarray(LINE.length);
  if (!body.subarray(0, first.length).equals(first)) throw malformed();
  let at = first.length;
  for (;;) {
    if (body.toString('latin1', at, at + 2) === '--') return;
    if (body.toString('latin1', at, at + 2) !== LINE) throw malformed();
    const headersEnd = body.subarray(at, at + MAX_HEADER_BYTES).indexOf(`${LINE}${LINE}`);
    if (headersEnd < 0) throw malformed();
    const start = at + headersEnd + 2 * LINE.length;
    // An empty value shares its line break with the end of the headers.
    const end = body.indexOf(delimiter, start - LINE.length);
    if (end < 0) throw malformed();
    const headers = decode(body.subarray(at + LINE.length, at + headersEnd));
    yield { ...toNames(headers), value: body.subarray(start, Math.max(start, end)) };
    at = end + delimiter.length;
  }
}

function toNames(headers: string): { name: string; fileName: string | undefined } {
  const disposition = headers.split(LINE).find((line) => DISPOSITION.test(line));
  const name = disposition && parameterOf(disposition, 'name');
  if (disposition === undefined || name === undefined) throw malformed();
  return { name, fileName: parameterOf(disposition, 'filename') };
}

/** Browsers escape quotes and line breaks in names, and nothing else (WHATWG HTML, "multipart/form-data"). */
function parameterOf(disposition: string, parameter: string): string | undefined {
  const quoted = new RegExp(`;[ \\t]*${parameter}="([^"]*)"`, 'i').exec(disposition)?.[1];
  return quoted?.replace(/%0A|%0D|%22/gi, (escaped) => decodeURIComponent(escaped));
}

/** @throws ServiceError 400 */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw invalid('body is not valid UTF-8');
    throw error;
  }
}

function malformed(): Error {
  return invalid('body is not valid multipart/form-data');
}
