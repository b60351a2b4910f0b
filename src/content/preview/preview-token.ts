// The token of a preview: signed, so that it needs no record and outlives a restart. Its holder reads one document for an
// hour, as long as its maker still may.
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { StoredMaker } from '../../lib/rights/maker.ts';

const Claims = z.object({
  site: z.string(),
  collection: z.string(),
  id: z.string(),
  maker: StoredMaker,
  /** Milliseconds since 1970. */
  expiresAt: z.int(),
  /** Names what is previewed unsaved; nobody can guess it. */
  nonce: z.string(),
  /** True if it was made for data that is not saved: without that data it shows nothing. */
  isUnsaved: z.boolean(),
});

export type PreviewClaims = z.output<typeof Claims>;

const FORM = /^[A-Za-z0-9_-]{1,4000}\.[A-Za-z0-9_-]{43}$/;

export function signPreview(key: KeyObject, claims: PreviewClaims): string {
  const text = Buffer.from(JSON.stringify(claims)).toString('base64url');
  return `${text}.${sign(key, text)}`;
}

/** Undefined if this service did not sign it. Does not check its time. */
export function readPreview(key: KeyObject, token: string): PreviewClaims | undefined {
  if (!FORM.test(token)) return undefined;
  const [text = '', signature = ''] = token.split('.');
  const expected = sign(key, text);
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return undefined;
  return Claims.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
}

function sign(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
