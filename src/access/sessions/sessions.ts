// Browser sessions: a record in `sessions.json`, and a signed cookie that names it. Without the record the cookie is
// worthless. `find` is synchronous, because every request with a cookie calls it.
import { type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { InfoLogger } from '../../data/info-logger.ts';
import type { PrivateFile } from '../../data/private-file.ts';
import { forbidden, unauthenticated } from '../../lib/errors.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import {
  type Client,
  endOf,
  isOver,
  type SessionsFile,
  type ShownSession,
  type StoredSession,
  toShownSession,
  toUserAgent,
} from './session.ts';
import { createSessionRecords, isGood } from './session-records.ts';
import { createSigned } from './signed.ts';

const Claims = z.object({
  sub: z.string(),
  sid: z.string(),
  /** The user's `epoch`. */
  epoch: z.int(),
  iat: z.int(),
  exp: z.int(),
});

export interface Session {
  user: User;
  sid: string;
  /** When its cookie was made. */
  issuedMs: number;
}

export interface Sessions {
  /**
   * Begins a session of the user and returns its cookie value once the session is durable; if the disk is full, the
   * session is kept in memory. 403 for a suspended user.
   */
  begin(user: User, client: Client): Promise<string>;
  /** Returns a fresh cookie value for the session. 401 if it has ended. */
  renew(session: Session): string;
  /** The same if the present cookie is a day old; undefined if it is younger. */
  renewOld(session: Session): string | undefined;
  /** The session of a cookie value; undefined if the value is not ours, or the session has ended. */
  find(cookie: string, address?: string): Session | undefined;
  /** An open session of any user. */
  get(id: string): ShownSession | undefined;
  /** A user's open sessions, most recently seen first. */
  list(userId: string): ShownSession[];
  /** By user: when they were last seen, also in a session that has ended, and whether one is open. */
  usesByUser(): ReadonlyMap<string, { lastSeenAt: string; isOpen: boolean }>;
  /** Ends a session at once, for all cookies that name it. */
  end(id: string): Promise<void>;
  /** The same for several, in one write. */
  endAll(ids: ReadonlySet<string>): Promise<void>;
  /** Writes when the sessions were last seen. */
  flush(): Promise<void>;
}

const ID_BYTES = 16;
const RENEW_AFTER_MS = 24 * 60 * 60 * 1000;
/** For each user; beyond that, the session seen longest ago is removed. */
const MAX_OPEN = 100;

export function createSessions(options: {
  file: PrivateFile<SessionsFile>;
  users: Users;
  key: KeyObject;
  /** Called when sessions of the user have begun or ended. */
  changed?(user: User): void;
  now: () => Date;
  logger: InfoLogger;
}): Sessions {
  const { file, users, key, changed, now, logger } = options;
  const signed = createSigned(key, Claims);
  const records = createSessionRecords({ file, users, changed, now, logger });
  const { lastSeen } = records;

  function sign({ userId, id, epoch, createdAt }: StoredSession): string {
    const iat = Math.floor(now().getTime() / 1000);
    return signed.sign({ sub: userId, sid: id, epoch, iat, exp: Math.floor(endOf(Date.parse(createdAt)) / 1000) });
  }

  function renew({ sid }: Session): string {
    const known = records.find(sid);
    if (!known) throw unauthenticated('the session has ended; sign in again');
    return sign(known.session);
  }

  return {
    renew,
    renewOld: (session) => (now().getTime() - session.issuedMs < RENEW_AFTER_MS ? undefined : renew(session)),

    async begin(user, client) {
      // Otherwise the session would be open once the suspension is lifted.
      if (users.find(user.id)?.suspended) throw forbidden('the account is suspended');
      const at = now().toISOString();
      const session: StoredSession = {
        id: randomBytes(ID_BYTES).toString('base64url'),
        userId: user.id,
        epoch: user.epoch,
        createdAt: at,
        lastSeenAt: at,
        userAgent: toUserAgent(client.userAgent),
        address: client.address,
      };
      await records.add(session, (open) => {
        const own = open.filter(({ userId }) => userId === user.id).sort(seenLastFirst);
        const excess = new Set(own.slice(MAX_OPEN - 1));
        return open.filter((one) => !excess.has(one));
      });
      return sign(session);
    },

    find(cookie, address) {
      const claims = signed.read(cookie);
      const known = claims && records.find(claims.sid);
      if (!known || known.session.userId !== claims.sub || known.session.epoch !== claims.epoch) return undefined;
      const user = users.find(claims.sub);
      if (!isGood(user, claims.epoch)) return undefined;
      const nowMs = now().getTime();
      const lastSeenMs = Math.max(known.lastSeenMs, lastSeen.find(claims.sid)?.atMs ?? 0);
      if (isOver(known.createdMs, lastSeenMs, nowMs)) return undefined;
      if (address !== undefined) lastSeen.note(claims.sid, nowMs, address);
      return { user, sid: claims.sid, issuedMs: claims.iat * 1000 };
    },

    get(id) {
      const known = records.find(id);
      const [open] = known ? records.openOf([known.session]) : [];
      return open && toShownSession(open);
    },

    list: (userId) =>
      records
        .openOf(records.all().filter((session) => session.userId === userId))
        .sort(seenLastFirst)
        .map(toShownSession),

    usesByUser: records.usesByUser,
    end: records.end,
    endAll: (ids) => records.update((open) => open.filter(({ id }) => !ids.has(id))),
    flush: lastSeen.flush,
  };
}

function seenLastFirst(a: StoredSession, b: StoredSession): number {
  return a.lastSeenAt < b.lastSeenAt ? 1 : a.lastSeenAt > b.lastSeenAt ? -1 : 0;
}
