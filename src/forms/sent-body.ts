// Parses the body that an HTML form sends (WHATWG URL, "application/x-www-form-urlencoded"), strictly: bytes that are
// not UTF-8 are refused, not replaced. And the one of FormData, as the platform parses it; forms take no files.
import { invalid } from '../lib/errors.ts';
import type { SentFields } from './check-fields.ts';

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
export async function parseMultipart(bytes: Buffer, contentType: string): Promise<SentFields> {
  const values: Record<string, string> = Object.create(null);
  const repeated = new Set<string>();
  let count = 0;
  for (const [name, value] of await toFormData(bytes, contentType)) {
    if (++count > MAX_PAIRS) throw invalid(`body has more than ${MAX_PAIRS} fields`);
    if (typeof value !== 'string') {
      // A browser sends an empty file for a file input that nobody used.
      if (value.size === 0 && value.name === '') continue;
      throw invalid([{ path: name, message: 'is a file, which forms do not take' }]);
    }
    if (name in values) repeated.add(name);
    values[name] = value;
  }
  return { values, repeated };
}

async function toFormData(bytes: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
  } catch (error) {
    if (error instanceof TypeError) throw invalid('body is not valid multipart/form-data');
    throw error;
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw invalid('body is not valid UTF-8');
    throw error;
  }
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch (error) {
    if (error instanceof URIError) throw invalid('body is not valid percent-encoded UTF-8');
    throw error;
  }
}
