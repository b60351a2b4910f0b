// Browser sessions: signed cookies (HS256 JWT) plus the list of those that were ended before their time. Synchronous on
// the way in, because every request with a cookie comes through here.
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { derived, type PrivateFile } from '../data/private-file.ts';
import { createBoundedMap } from './bounded-map.ts';
import { SESSION_SECONDS } from './cookie.ts';
import type { User } from './user.ts';
import type { Users } from './users.ts';

export const SessionsFile = z.object({
  version: z.literal(1),
  /** Session ids that were ended, until (ms) no cookie of theirs can be valid any more. */
  ended: z.array(z.object({ sid: z.string(), until: z.number() })),
});
export type SessionsFile = z.output<typeof SessionsFile>;

const Claims = z.object({
  sub: z.string(),
  sid: z.string(),
  /** The password epoch. */
  epoch: z.int(),
  iat: z.int(),
  exp: z.int(),
});
type Claims = z.output<typeof Claims>;

export interface Session {
  user: User;
  sid: string;
}

export interface Sessions {
  /** A cookie value for the user; with `sid` the same session goes on with a fresh term. */
  issue(user: User, sid?: string): string;
  /** The session behind a cookie value, if it is ours, in its term, not ended, and of the user's present password. */
  find(cookie: string): Session | undefined;
  /** Ends a session at once, for all cookies that name it. */
  end(sid: string): Promise<void>;
}

/** A cookie of ours has some 300 characters; longer ones are not worth a signature check. */
const MAX_COOKIE_LENGTH = 2_000;
const KEPT = 5_000;

export function createSessions(options: {
  file: PrivateFile<SessionsFile>;
  users: Users;
  secret: string;
  now: () => Date;
  newId: () => string;
}): Sessions {
  const { file, users, secret, now, newId } = options;
  const ended = derived(file, (value) => new Set(value.ended.map(({ sid }) => sid)));
  // Only the signature's check is kept (it costs 20 microseconds); everything that can change is looked at every time.
  const verified = createBoundedMap<string, Claims>(KEPT);

  function verify(cookie: string): Claims | undefined {
    const kept = verified.get(cookie);
    if (kept || cookie.length > MAX_COOKIE_LENGTH) return kept;
    let payload: unknown;
    try {
      payload = jwt.verify(cookie, secret, { algorithms: ['HS256'], ignoreExpiration: true });
    } catch (error) {
      if (error instanceof jwt.JsonWebTokenError || error instanceof SyntaxError) return undefined;
      throw error;
    }
    const claims = Claims.safeParse(payload);
    if (!claims.success) return undefined;
    verified.set(cookie, claims.data);
    return claims.data;
  }

  return {
    issue(user, sid = newId()) {
      const iat = Math.floor(now().getTime() / 1000);
      const claims: Claims = { sub: user.id, sid, epoch: user.epoch, iat, exp: iat + SESSION_SECONDS };
      return jwt.sign(claims, secret, { algorithm: 'HS256' });
    },

    find(cookie) {
      const claims = verify(cookie);
      if (!claims || claims.exp * 1000 <= now().getTime() || ended().has(claims.sid)) return undefined;
      const user = users.find(claims.sub);
      return user && user.epoch === claims.epoch ? { user, sid: claims.sid } : undefined;
    },

    async end(sid) {
      const nowMs = now().getTime();
      await file.update((value) => {
        if (value.ended.some((entry) => entry.sid === sid)) return [value, undefined];
        const live = value.ended.filter(({ until }) => until > nowMs);
        return [{ ...value, ended: [...live, { sid, until: nowMs + SESSION_SECONDS * 1000 }] }, undefined];
      });
    },
  };
}
