// Moves the refs of a push, once everything of it is checked and its objects are in the repository: main through the
// log, then the branches changes/<name>, each by itself.
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError, toStorageError } from '../../lib/errors.ts';
import type { Oid } from '../../store/git/objects.ts';
import type { MoveOutcome } from '../../store/repository/refs.ts';
import type { GitLogger, GitSite } from '../git-site.ts';
import type { Pusher } from './pusher.ts';
import type { PushRecord } from './record.ts';
import type { Outcome } from './report.ts';
import type { Command } from './request.ts';

/** How long to wait for git's lock on a branch. */
const LOCK_MS = 5000;
const LOCK_LOOK_MS = 50;
export const LOCKED = 'another git process has locked the branch; try again';

type AdvanceArguments = Parameters<GitSite['store']['log']['advance']>[2];

export async function advanceMain(
  { store: { log } }: Pick<GitSite, 'store'>,
  { from, to }: { from: Oid | null; to: Oid },
  signal: AbortSignal,
  options: AdvanceArguments,
): Promise<MoveOutcome> {
  const untilMs = performance.now() + LOCK_MS;
  const isAt = (commit: string | null): boolean => log.status().gitHead === commit;
  for (;;) {
    signal.throwIfAborted();
    const outcome = await log.advance(from, to, options);
    if (outcome === 'moved' || performance.now() > untilMs) return outcome;
    if (outcome === 'changed') {
      if (!isAt(from)) return outcome;
      // A field was locked a moment ago: refuse the push once that change can be fetched.
      await log.flush().catch(() => undefined); // if it fails, the push is refused when the time is up
      if (!isAt(from)) return outcome;
    }
    await delay(LOCK_LOOK_MS);
  }
}

export interface MoveChangesParts {
  site: Pick<GitSite, 'store'>;
  pusher: Pusher;
  logger: GitLogger;
  record: PushRecord;
}

/** Goes on after a failure: the refs before it are moved already. */
export async function moveChanges(parts: MoveChangesParts, commands: readonly Command[]): Promise<Outcome['refs']> {
  const refs: Outcome['refs'] = [];
  for (const command of commands) refs.push({ ref: command.ref, refused: await moveChange(parts, command) });
  const failed = refs.flatMap(({ ref, refused }) => (refused === undefined ? [] : [ref]));
  if (failed.length > 0) await parts.record.failed(failed);
  return refs;
}

/**
 * For `git push --atomic`: moves the branches, then whatever `andThen` moves, and puts the branches back if one of them
 * or `andThen` fails. Returns what failed.
 */
export async function moveTogether<T>(
  parts: MoveChangesParts,
  commands: readonly Command[],
  andThen: () => Promise<T | undefined>,
): Promise<T | { ref: string; refused: string } | undefined> {
  const moved: Command[] = [];
  let isDone = false;
  try {
    for (const command of commands) {
      const refused = await moveChange(parts, command);
      if (refused !== undefined) return { ref: command.ref, refused };
      moved.push(command);
    }
    const failed = await andThen();
    isDone = failed === undefined;
    return failed;
  } finally {
    if (!isDone) for (const { ref, from, to } of moved.reverse()) await moveChange(parts, { ref, from: to, to: from });
  }
}

/** Why the branch was not moved; undefined if it was. */
async function moveChange(
  { site, pusher, logger }: MoveChangesParts,
  { ref, from, to }: Command,
): Promise<string | undefined> {
  const { changeBranches } = site.store;
  const { userId: id, name, email, at } = pusher;
  const untilMs = performance.now() + LOCK_MS;
  try {
    for (;;) {
      const outcome =
        to === null
          ? await changeBranches.remove(ref, from!)
          : await changeBranches.move(ref, from, to, { at, by: { id, name, email } });
      if (outcome === 'changed') return 'fetch first';
      if (outcome !== 'locked') return undefined;
      if (performance.now() > untilMs) return LOCKED;
      await delay(LOCK_LOOK_MS);
    }
  } catch (thrown) {
    const error = toStorageError(thrown);
    if (error instanceof ServiceError) return error.message;
    logger.error({ requestId: pusher.requestId, ref, err: error }, 'a branch of a push could not be moved');
    return `internal error (request ${pusher.requestId})`;
  }
}
