// A browser session as it is stored (`sessions.json`), how long it lasts, and as it is shown. Pure.
import { z } from 'zod';
import { SESSION_SECONDS } from './cookie.ts';
import type { LastSeenAt } from './last-seen.ts';

export const StoredSession = z.object({
  id: z.string().min(1),
  userId: z.string().min(1),
  /** The password that was good when it began, by its count; with the next one it is over. */
  epoch: z.int(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  userAgent: z.string(),
  address: z.string(),
});
export type StoredSession = z.output<typeof StoredSession>;

/** Older versions kept the sessions that had ended, `ended`; their cookies have another key, and none is valid any more. */
export const SessionsFile = z.object({ version: z.literal(1), sessions: z.array(StoredSession).default([]) });
export type SessionsFile = z.output<typeof SessionsFile>;

/** The browser, or program, that somebody signs in with. */
export interface Client {
  address: string;
  /** As it calls itself; nothing depends on it. */
  userAgent: string;
  /** The value of its cookie `cms-device`. */
  device?: string | undefined;
}

/** A session as its user sees it, and who manages the team. */
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

/** When it ends whatever happens. */
export function endOf(createdMs: number): number {
  return createdMs + LONGEST_MS;
}

export function isOver(createdMs: number, lastSeenMs: number, nowMs: number): boolean {
  return nowMs >= endOf(createdMs) || nowMs >= lastSeenMs + IDLE_MS;
}

/** The session with what was noted since it was written. */
export function withSeen(session: StoredSession, seen: LastSeenAt | undefined): StoredSession {
  if (!seen || seen.atMs <= Date.parse(session.lastSeenAt)) return session;
  return { ...session, lastSeenAt: new Date(seen.atMs).toISOString(), address: seen.address };
}

export function toShownSession({ epoch: _, ...shown }: StoredSession): ShownSession {
  return shown;
}

/** What a browser calls itself, fit to be shown: no control or invisible characters, and not long. */
export function toUserAgent(header: string): string {
  const text = header.slice(0, 4 * MAX_USER_AGENT).toWellFormed();
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, MAX_USER_AGENT)
    .toWellFormed();
}
