// Browser sessions: a record in `sessions.json`, and a signed cookie that names it. Without the record the cookie is
// worthless. `find` is synchronous, because every request with a cookie calls it.
import { type KeyObject, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { InfoLogger } from '../../data/info-logger.ts';
import { derived, type PrivateFile } from '../../data/private-file.ts';
import { forbidden, isStorageFull, unauthenticated } from '../../lib/errors.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import { createLastSeen } from './last-seen.ts';
import {
  type Client,
  endOf,
  isOver,
  lastUses,
  type SessionsFile,
  type ShownSession,
  type StoredSession,
  toShownSession,
  toUserAgent,
  withSeen,
} from './session.ts';
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
const MAX_UNSAVED = 1_000;

interface Known {
  session: StoredSession;
  createdMs: number;
  lastSeenMs: number;
}

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
  const byId = derived(
    file,
    ({ sessions }) => new Map(sessions.map((session): [string, Known] => [session.id, toKnown(session)])),
  );
  const unsaved = createUnsaved(logger);
  const lastSeen = createLastSeen({ write: () => update((open) => open), logger });

  const seenNow = (sessions: readonly StoredSession[]): StoredSession[] =>
    sessions.map((session) => withSeen(session, lastSeen.find(session.id)));

  /** The sessions that have not ended, with their last uses. */
  function openOf(sessions: readonly StoredSession[]): StoredSession[] {
    const nowMs = now().getTime();
    return seenNow(sessions).filter(
      ({ userId, epoch, createdAt, lastSeenAt }) =>
        isGood(users.find(userId), epoch) && !isOver(Date.parse(createdAt), Date.parse(lastSeenAt), nowMs),
    );
  }

  /** Every write drops ended sessions, and keeps when their users were last seen. */
  async function update(change: (open: StoredSession[]) => StoredSession[]): Promise<void> {
    let added: StoredSession[] = [];
    const ended = await file.update((value) => {
      added = unsaved.list();
      const before = [...value.sessions, ...added];
      const sessions = change(openOf(before));
      const isSame = sessions.length === value.sessions.length && sessions.every((one, i) => one === value.sessions[i]);
      const kept = new Set(sessions.map(({ id }) => id));
      const ended = before.filter(({ id }) => !kept.has(id));
      const uses = [...lastUses(seenNow(ended), value.seen)].filter(([userId]) => users.find(userId));
      const seen = uses.length > 0 ? { seen: Object.fromEntries(uses) } : {};
      return [isSame ? value : { version: value.version, sessions, ...seen }, ended];
    });
    for (const { id } of added) unsaved.delete(id);
    for (const { id } of ended) lastSeen.forget(id);
    report(ended);
  }

  function report(sessions: readonly StoredSession[]): void {
    for (const id of new Set(sessions.map(({ userId }) => userId))) {
      const user = users.find(id);
      if (user) changed?.(user);
    }
  }

  const findKnown = (id: string): Known | undefined => byId().get(id) ?? unsaved.find(id);

  function sign({ userId, id, epoch, createdAt }: StoredSession): string {
    const iat = Math.floor(now().getTime() / 1000);
    return signed.sign({ sub: userId, sid: id, epoch, iat, exp: Math.floor(endOf(Date.parse(createdAt)) / 1000) });
  }

  function renew({ sid }: Session): string {
    const known = findKnown(sid);
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
      try {
        await update((open) => {
          const own = open.filter(({ userId }) => userId === user.id).sort(seenLastFirst);
          const excess = new Set(own.slice(MAX_OPEN - 1));
          return [...open.filter((one) => !excess.has(one)), session];
        });
      } catch (error) {
        if (!isStorageFull(error)) throw error;
        unsaved.keep(session, error);
      }
      report([session]);
      return sign(session);
    },

    find(cookie, address) {
      const claims = signed.read(cookie);
      const known = claims && findKnown(claims.sid);
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
      const known = findKnown(id);
      const [open] = known ? openOf([known.session]) : [];
      return open && toShownSession(open);
    },

    list: (userId) =>
      openOf([...file.read().sessions, ...unsaved.list()].filter((session) => session.userId === userId))
        .sort(seenLastFirst)
        .map(toShownSession),

    usesByUser() {
      const { sessions, seen } = file.read();
      const all = [...sessions, ...unsaved.list()];
      const open = new Set(openOf(all).map(({ userId }) => userId));
      const uses = [...lastUses(seenNow(all), seen)];
      return new Map(uses.map(([userId, lastSeenAt]) => [userId, { lastSeenAt, isOpen: open.has(userId) }]));
    },

    async end(id) {
      if (unsaved.delete(id)) lastSeen.forget(id);
      else await update((open) => open.filter((session) => session.id !== id));
    },

    endAll: (ids) => update((open) => open.filter(({ id }) => !ids.has(id))),
    flush: lastSeen.flush,
  };
}

/** Sessions that a full disk has no space for: the person who frees space has to get in. A restart ends them. */
function createUnsaved(logger: InfoLogger) {
  const byId = new Map<string, Known>();
  return {
    find: (id: string): Known | undefined => byId.get(id),
    list: (): StoredSession[] => [...byId.values()].map(({ session }) => session),
    keep(session: StoredSession, error: unknown): void {
      logger.info(
        { err: error, userId: session.userId },
        'a session could not be written; it ends when the service stops',
      );
      const [oldest] = byId.keys();
      if (oldest !== undefined && byId.size >= MAX_UNSAVED) byId.delete(oldest);
      byId.set(session.id, toKnown(session));
    },
    delete: (id: string): boolean => byId.delete(id),
  };
}

function toKnown(session: StoredSession): Known {
  return { session, createdMs: Date.parse(session.createdAt), lastSeenMs: Date.parse(session.lastSeenAt) };
}

/** True if the session's user exists, is not suspended, and has not changed the password since it began. */
function isGood(user: User | undefined, epoch: number): user is User {
  return user !== undefined && user.epoch === epoch && !user.suspended;
}

function seenLastFirst(a: StoredSession, b: StoredSession): number {
  return a.lastSeenAt < b.lastSeenAt ? 1 : a.lastSeenAt > b.lastSeenAt ? -1 : 0;
}
