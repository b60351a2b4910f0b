// How requests to the sync server are signed: the server and its client both compute signatures here.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

export const TIMESTAMP_HEADER = 'x-cms-timestamp';
export const SIGNATURE_HEADER = 'x-cms-signature';
/**
 * Optional: the hex sha256 of the body. With it a signature is checked before the body is received, so that a body of a
 * stranger takes no space on the disk.
 */
export const CONTENT_HEADER = 'x-cms-content-sha256';

/** A request is valid this long before and after its timestamp. */
export const LIFETIME_SECONDS = 300;

/** Shorter secrets can be guessed. */
export const MIN_SECRET_LENGTH = 16;

export interface SignedRequest {
  /** Unix time in seconds. */
  timestamp: string;
  method: string;
  /** Path and query, exactly as they are sent. */
  target: string;
  /** Of the body, hex. */
  sha256: string;
}

/** The value of the signature's header: `sha256=` and 64 hex digits. */
export function sign(secret: string, { timestamp, method, target, sha256 }: SignedRequest): string {
  const text = `${timestamp}\n${method}\n${target}\n${sha256}`;
  return `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`;
}

export function isSignedBy(secret: string, request: SignedRequest, signature: string): boolean {
  const expected = Buffer.from(sign(secret, request));
  const found = Buffer.from(signature);
  return expected.length === found.length && timingSafeEqual(expected, found);
}

export function sha256Of(bytes: Buffer | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
