// Recovery codes, for sign-ins without the phone. Each works once. With 80 random bits a plain hash is enough: nobody
// can guess them, not even from the hashes.
import { hash, randomBytes } from 'node:crypto';

const COUNT = 10;
const BYTES = 10;
/** Crockford's alphabet: no letter looks like a digit or another letter. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** Ten codes such as `7gk2-0m9x-41ta-zz8d`, to be shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => {
    const bits = BigInt(`0x${randomBytes(BYTES).toString('hex')}`);
    const letters = Array.from({ length: 16 }, (_, i) => ALPHABET[Number((bits >> BigInt(i * 5)) & 31n)]);
    return letters.join('').replace(/.{4}(?=.)/g, '$&-');
  });
}

/** The stored form of a recovery code. Ignores case, spaces and hyphens. */
export function toRecoveryHash(code: string): string {
  return hash('sha256', code.toLowerCase().replace(/[\s-]/g, ''));
}
