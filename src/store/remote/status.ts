// The remote as an administrator sees it: its status, and a warning for each thing that is late.
import type { Oid } from '../git/objects.ts';
import type { Failures } from './failures.ts';
import { movedText } from './force-push.ts';
import type { RemoteSight } from './sightings.ts';

export interface RemoteStatus {
  url: string;
  branch: string;
  push: boolean;
  /**
   * The commit at which the remote's branch was last seen; null before the first look, or if the branch does not exist.
   */
  remoteHead: Oid | null;
  /** Commits that the remote does not have yet, as far as is known. */
  ahead: number;
  /** Commits of the remote that our branch does not have yet. */
  behind: number;
  lastFetchAt: string | null;
  lastPushAt: string | null;
  /** Since when something waits to be pushed. */
  unpushedSince: string | null;
  lastError: { message: string; at: string } | null;
  /** Failures since the start. */
  failures: number;
  /** The remote was force-pushed to `theirs`, which does not contain `seen`: an administrator has to choose. */
  moved: { seen: Oid; theirs: Oid | null } | null;
  /** Sentences for an operator, as `/readyz` has them. */
  warnings: string[];
}

export interface StatusParts {
  url: string;
  branch: string;
  push: boolean;
  /** A reason not to contact the remote at all: a variable that is not set. */
  problem?: string | undefined;
}

/** From here on, being behind or out of touch is a warning. */
const LATE_MS = 3 * 60_000;

export function toRemoteStatus(
  { url, branch, push, problem }: StatusParts,
  sight: RemoteSight,
  { last, count }: Failures,
  startedMs: number,
): Omit<RemoteStatus, 'warnings'> {
  return {
    url,
    branch,
    push,
    remoteHead: sight.seen,
    ahead: sight.ahead,
    behind: sight.behind,
    lastFetchAt: toIso(sight.lastFetchMs),
    lastPushAt: toIso(sight.lastPushMs),
    unpushedSince: toIso(sight.unpushedMs),
    lastError: problem
      ? { message: problem, at: toIso(startedMs)! }
      : last
        ? { message: last.message, at: toIso(last.atMs)! }
        : null,
    failures: count,
    moved: sight.moved ?? null,
  };
}

export function listWarnings(
  { push, problem }: StatusParts,
  sight: RemoteSight,
  { last }: Failures,
  { nowMs, startedMs }: { nowMs: number; startedMs: number },
): string[] {
  if (problem) return [`remote: ${problem}`];
  if (sight.moved) return [`remote: ${movedText(sight.moved.seen, sight.moved.theirs)}`];
  const reason = last ? `: ${last.message}` : '';
  const found: string[] = [];
  const silentMs = nowMs - (sight.lastFetchMs ?? startedMs);
  if (silentMs > LATE_MS) found.push(`remote: has not answered for ${toMinutes(silentMs)} min${reason}`);
  if (push && sight.ahead > 0 && sight.unpushedMs !== undefined && nowMs - sight.unpushedMs > LATE_MS) {
    const lateMs = nowMs - sight.unpushedMs;
    found.push(`remote: ${sight.ahead} commits are not pushed, the oldest for ${toMinutes(lateMs)} min${reason}`);
  }
  return found;
}

function toIso(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

function toMinutes(ms: number): number {
  return Math.floor(ms / 60_000);
}
