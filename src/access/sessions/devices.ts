// Browsers that a user has signed in with. Their cookie grants no access: it only keeps the browser out of the counts
// of failures that strangers can fill (throttle.ts).
import { type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { DEVICE_SECONDS } from './cookie.ts';
import { createSigned } from './signed.ts';

const ID_BYTES = 16;

const DeviceClaims = z.object({ sub: z.string(), device: z.string(), exp: z.int() });

export interface Devices {
  /** The cookie value for a browser that the user has just signed in with; keeps the id of the present cookie. */
  issue(userId: string, present: string | undefined): string;
  /** The browser's id; undefined if this user has not signed in with it. */
  find(cookie: string | undefined, userId: string): string | undefined;
}

export function createDevices({ key, now }: { key: KeyObject; now: () => Date }): Devices {
  const signed = createSigned(key, DeviceClaims);

  function find(cookie: string | undefined, userId: string): string | undefined {
    const claims = cookie === undefined ? undefined : signed.read(cookie);
    return claims?.sub === userId && claims.exp * 1000 > now().getTime() ? claims.device : undefined;
  }

  return {
    find,
    issue(userId, present) {
      const device = find(present, userId) ?? randomBytes(ID_BYTES).toString('base64url');
      return signed.sign({ sub: userId, device, exp: Math.floor(now().getTime() / 1000) + DEVICE_SECONDS });
    },
  };
}
