// Parses the body that an HTML form sends (WHATWG URL, "application/x-www-form-urlencoded"), strictly: bytes that are
// not UTF-8 are refused, not replaced. And the one of FormData; forms take no files.
import { invalid } from '../lib/errors.ts';
import type { SentFields } from './check-fields.ts';
import { decode, readParts } from './multipart.ts';

/** More than any form has, and few enough to be parsed in a millisecond. */
const MAX_PAIRS = 1000;

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
