// How much space of a trail the entries of the last 90 days take, and whose they are. They are never pruned: an account
// that takes more than it leaves is refused until some of them are older. Pure.
import { ServiceError } from '../lib/errors.ts';
import type { Scanned } from './lines.ts';

/** Younger entries are never pruned. */
export const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

export interface TrailSpace {
  /** Bytes of the files that must stay, the newest file included. */
  keptBytes: number;
  /** Bytes in these files of entries by the user; null for callers without an account. */
  bytesOf(user: string | null): number;
  /** Seconds until the oldest of these files may be pruned. */
  retryAfterSeconds: number;
}

/** `files` of one trail, the oldest first; the last one is being written. */
export function measure(files: readonly { scanned: Scanned }[], nowMs: number): TrailSpace {
  // Whole files are pruned, the oldest first: after one that stays, all stay.
  const oldest = files.findIndex(({ scanned }, index) => index === files.length - 1 || isKept(scanned, nowMs));
  const kept = files.slice(Math.max(0, oldest)).map(({ scanned }) => scanned);
  const freeAtMs = (kept[0]?.newestMs ?? nowMs) + KEPT_MS;
  return {
    keptBytes: kept.reduce((sum, { bytes }) => sum + bytes, 0),
    bytesOf: (user) => kept.reduce((sum, { bytesByUser }) => sum + (bytesByUser.get(user) ?? 0), 0),
    retryAfterSeconds: Math.max(60, Math.ceil((freeAtMs - nowMs) / 1000)),
  };
}

export function isKept({ newestMs }: Pick<Scanned, 'newestMs'>, nowMs: number): boolean {
  return newestMs > nowMs - KEPT_MS;
}

export interface SpaceLimits {
  /** Limit for the whole trail. */
  maxBytes: number;
  /** Space for changes that must not wait, and for entries of changes that were under way. */
  reservedBytes: number;
}

/**
 * An account may take as much as it leaves for others, so that one of them gets half of the trail, two a third each, and
 * another one always finds space. Callers without an account count as one. @throws too_many_requests
 */
export function checkSpace(
  space: TrailSpace,
  { user, isUrgent }: { user: string | null; isUrgent: boolean },
  { maxBytes, reservedBytes }: SpaceLimits,
): void {
  const free = maxBytes - space.keptBytes;
  if (isUrgent ? free > 0 : free > reservedBytes && space.bytesOf(user) <= free - reservedBytes) return;
  throw auditFull(space.retryAfterSeconds);
}

function auditFull(retryAfterSeconds: number): ServiceError {
  return new ServiceError(
    'too_many_requests',
    'the audit keeps every entry for 90 days, and has no space left for more changes by this account; try again later',
    { headers: { 'Retry-After': String(retryAfterSeconds) } },
  );
}
