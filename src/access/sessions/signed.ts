// Signed texts (HS256 JWT), the values of our cookies. Only the signature is checked here, and the result is cached,
// because a check costs 20 microseconds; callers check what can change, every time.
import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { z } from 'zod';
import { createBoundedMap } from '../../lib/memory/bounded-map.ts';

/** Our cookies have about 300 characters; much longer ones are not worth a signature check. */
const MAX_LENGTH = 2_000;
const KEPT = 5_000;

export interface Signer<T extends object> {
  sign(claims: T): string;
  /** The claims in the text; undefined if it is not ours. Does not check the expiry. */
  read(text: string): T | undefined;
}

export function createSigned<T extends object>(key: KeyObject, schema: z.ZodType<T>): Signer<T> {
  const verified = createBoundedMap<string, T>(KEPT);

  return {
    sign: (claims) => jwt.sign(claims, key, { algorithm: 'HS256' }),
    read(text) {
      const kept = verified.get(text);
      if (kept || text.length > MAX_LENGTH) return kept;
      let payload: unknown;
      try {
        payload = jwt.verify(text, key, { algorithms: ['HS256'], ignoreExpiration: true });
      } catch (error) {
        if (error instanceof jwt.JsonWebTokenError || error instanceof SyntaxError) return undefined;
        throw error;
      }
      const claims = schema.safeParse(payload);
      if (!claims.success) return undefined;
      verified.set(text, claims.data);
      return claims.data;
    },
  };
}
