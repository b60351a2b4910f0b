// The keys that this folder signs with. Each is derived (RFC 5869), so that no text of the environment is one: the service
// token, which is CMS_JWT_SECRET by default, signs nothing.
import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

const KEY_BYTES = 32;

/** What a key is for is part of it: a cookie of one kind is never one of another. */
export type KeyUse = 'session cookie' | 'device cookie' | 'provider cookie';

/**
 * The key for `use`, of the secret and of a salt that only the data folder has: whoever knows the secret alone cannot
 * make it.
 */
export function deriveKey(secret: string, salt: string, use: KeyUse): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', secret, salt, `colophon ${use} 1`, KEY_BYTES)));
}
