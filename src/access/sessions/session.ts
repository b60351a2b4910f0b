// A browser session: how it is stored (`sessions.json`), how long it lasts, and how it is shown. Pure.
import { z } from 'zod';
import { SESSION_SECONDS } from './cookie.ts';
import type { LastSeenAt } from './last-seen.ts';

export const StoredSession = z.object({
  id: z.string().min(1),
  userId: z.string().min(1),
  /** The user's `epoch` when the session began; the session ends when that changes. */
  epoch: z.int(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  userAgent: z.string(),
  address: z.string(),
});
export type StoredSession = z.output<typeof StoredSession>;

/** Older versions stored ended sessions as `ended`. Their cookies have another key, so none is valid any more. */
export const SessionsFile = z.object({
  version: z.literal(1),
  sessions: z.array(StoredSession).default([]),
  /** By user: the last use of sessions that are not in the file any more. */
  seen: z.record(z.string(), z.iso.datetime()).optional(),
});
export type SessionsFile = z.output<typeof SessionsFile>;

/** The browser or program that signs in. */
export interface Client {
  address: string;
  /** As the client sends it; only for display. */
  userAgent: string;
  /** The value of the cookie `cms-device`. */
  device?: string | undefined;
}

/** A session as it is shown to its user and to people who manage the team. */
export interface ShownSession {
  id: string;
  userId: string;
  createdAt: string;
  lastSeenAt: string;
  userAgent: string;
  address: string;
}

const IDLE_MS = SESSION_SECONDS * 1000;
const LONGEST_MS = 30 * 24 * 60 * 60 * 1000;
const MAX_USER_AGENT = 300;

/** When the session ends at the latest. */
export function endOf(createdMs: number): number {
  return createdMs + LONGEST_MS;
}

export function isOver(createdMs: number, lastSeenMs: number, nowMs: number): boolean {
  return nowMs >= endOf(createdMs) || nowMs >= lastSeenMs + IDLE_MS;
}

/** The session with its last use, if that is newer than the stored one. */
export function withSeen(session: StoredSession, seen: LastSeenAt | undefined): StoredSession {
  if (!seen || seen.atMs <= Date.parse(session.lastSeenAt)) return session;
  return { ...session, lastSeenAt: new Date(seen.atMs).toISOString(), address: seen.address };
}

/** By user: the last use of their sessions, on top of what is known of earlier ones. */
export function lastUses(sessions: readonly StoredSession[], earlier: SessionsFile['seen'] = {}): Map<string, string> {
  const uses = new Map(Object.entries(earlier));
  for (const { userId, lastSeenAt } of sessions) {
    if (lastSeenAt > (uses.get(userId) ?? '')) uses.set(userId, lastSeenAt);
  }
  return uses;
}

export function toShownSession({ epoch: _, ...shown }: StoredSession): ShownSession {
  return shown;
}

/** The User-Agent made fit to be shown: shortened, without control or invisible characters. */
export function toUserAgent(header: string): string {
  const text = header.slice(0, 4 * MAX_USER_AGENT).toWellFormed();
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_USER_AGENT)
    .toWellFormed();
}
