// The keys that this folder signs with. Each is derived (RFC 5869), so that no value of the environment is itself a
// key: the service token, which is CMS_JWT_SECRET by default, signs nothing.
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;

/** The use goes into the key, so that a cookie of one kind is never valid as another. */
export type KeyUse = 'session cookie' | 'device cookie' | 'provider cookie' | 'preview link';

/**
 * Derives the key for `use` from the secret and a salt that only the data folder has: the secret alone is not enough to
 * compute it.
 */
export function deriveKey(secret: string, salt: string, use: KeyUse): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, salt, `colophon ${use} 1`, KEY_BYTES)));
}
