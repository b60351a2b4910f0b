// The records of sessions: those of `sessions.json`, and those that it had no space for. Knows nothing of cookies.
import type { InfoLogger } from '../../data/info-logger.ts';
import { derived, type PrivateFile } from '../../data/private-file.ts';
import { isStorageFull } from '../../lib/errors.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import { createLastSeen, type LastSeen } from './last-seen.ts';
import { isOver, lastUses, type SessionsFile, type StoredSession, withSeen } from './session.ts';

export interface KnownSession {
  session: StoredSession;
  createdMs: number;
  lastSeenMs: number;
}

export interface SessionRecords {
  lastSeen: LastSeen;
  find(id: string): KnownSession | undefined;
  all(): StoredSession[];
  /** The sessions that have not ended, with their last uses. */
  openOf(sessions: readonly StoredSession[]): StoredSession[];
  /** By user: when they were last seen, also in a session that has ended, and whether one is open. */
  usesByUser(): ReadonlyMap<string, { lastSeenAt: string; isOpen: boolean }>;
  /** `change` gets the open sessions. If the disk is full, the session is kept in memory. */
  add(session: StoredSession, change: (open: StoredSession[]) => StoredSession[]): Promise<void>;
  /** `change` gets the open sessions. */
  update(change: (open: StoredSession[]) => StoredSession[]): Promise<void>;
  end(id: string): Promise<void>;
}

const MAX_UNSAVED = 1_000;

export function createSessionRecords(options: {
  file: PrivateFile<SessionsFile>;
  users: Pick<Users, 'find'>;
  /** Called when sessions of the user have begun or ended. */
  changed?: ((user: User) => void) | undefined;
  now: () => Date;
  logger: InfoLogger;
}): SessionRecords {
  const { file, users, changed, now, logger } = options;
  const byId = derived(
    file,
    ({ sessions }) => new Map(sessions.map((session): [string, KnownSession] => [session.id, toKnown(session)])),
  );
  const unsaved = createUnsaved(logger);
  const lastSeen = createLastSeen({ write: () => update((open) => open), logger });
  const all = (): StoredSession[] => [...file.read().sessions, ...unsaved.list()];

  const seenNow = (sessions: readonly StoredSession[]): StoredSession[] =>
    sessions.map((session) => withSeen(session, lastSeen.find(session.id)));

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

  return {
    lastSeen,
    all,
    openOf,
    update,
    find: (id) => byId().get(id) ?? unsaved.find(id),
    async add(session, change) {
      try {
        await update((open) => [...change(open), session]);
      } catch (error) {
        if (!isStorageFull(error)) throw error;
        unsaved.keep(session, error);
      }
      report([session]);
    },
    usesByUser() {
      const sessions = all();
      const open = new Set(openOf(sessions).map(({ userId }) => userId));
      const uses = [...lastUses(seenNow(sessions), file.read().seen)];
      return new Map(uses.map(([userId, lastSeenAt]) => [userId, { lastSeenAt, isOpen: open.has(userId) }]));
    },
    async end(id) {
      const known = unsaved.find(id);
      if (!known) return update((open) => open.filter((session) => session.id !== id));
      unsaved.delete(id);
      lastSeen.forget(id);
      report([known.session]);
    },
  };
}

/** Sessions that a full disk has no space for: the person who frees space has to get in. A restart ends them. */
function createUnsaved(logger: InfoLogger) {
  const byId = new Map<string, KnownSession>();
  return {
    find: (id: string): KnownSession | undefined => byId.get(id),
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

function toKnown(session: StoredSession): KnownSession {
  return { session, createdMs: Date.parse(session.createdAt), lastSeenMs: Date.parse(session.lastSeenAt) };
}

/** True if the session's user exists, is not suspended, and has not changed the password since it began. */
export function isGood(user: User | undefined, epoch: number): user is User {
  return user !== undefined && user.epoch === epoch && !user.suspended;
}
