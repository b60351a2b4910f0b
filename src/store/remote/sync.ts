// One meeting of the site's branch and its remote's: a look, what it leads to on either side, and the choice after a
// force-push. Does not decide when. Refs move after the objects are there, ours through the log.
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../../lib/errors.ts';
import type { Oid } from '../git/objects.ts';
import { RemoteError } from './error.ts';
import { type ChoiceParts, type Choose, createChoice, movedText } from './force-push.ts';
import type { Relation } from './relation.ts';
import { createSightings, type RemoteSight } from './sightings.ts';

export interface RemoteSyncParts extends ChoiceParts {
  warn(message: string): void;
  /** Whether a push may go out now. */
  mayPush(): boolean;
  /** Called when a push goes out. */
  pushes(): void;
}

export interface RemoteSync {
  readonly sight: RemoteSight;
  /** Whether the remote lacks something of ours that may go there. */
  isPushDue(): boolean;
  /** Fetches, applies or replays, and pushes if it is time or `isUrgent`. */
  run(isUrgent: boolean): Promise<void>;
  /** The same, and then asks for bytes of media that are missing here. Not before the site has opened its media. */
  runWhole(isUrgent: boolean): Promise<void>;
  choose: Choose;
}

/** How many times in a row other pushes may be faster. */
const ROUNDS = 12;
const LOCKED_MS = 100;

export function createRemoteSync(parts: RemoteSyncParts): RemoteSync {
  const { end, log, work } = parts;
  const sightings = createSightings(parts);
  const { sight, nowMs } = sightings;

  function isPushDue(): boolean {
    if (!parts.push || sight.moved) return false;
    return sight.ahead > 0 || (sight.contained !== undefined && log.status().gitHead !== sight.contained);
  }

  async function run(isUrgent: boolean): Promise<void> {
    for (let round = 0; round < ROUNDS; round++) {
      const theirs = await look();
      const outcome = await meet(theirs);
      if (outcome === 'again') continue;
      if (outcome === 'stop' || !parts.push) return;
      if (!isUrgent && !parts.mayPush()) return;
      if (await pushOnto(theirs)) return;
    }
    throw new RemoteError('failed', 'other pushes were faster every time; trying again later');
  }

  /** A host that is not reached leaves what is known here: how far our branch is from where its was seen. */
  async function look(): Promise<Oid | null> {
    try {
      return await end.look();
    } catch (error) {
      if (!sightings.isCounted()) await countFromSeen();
      throw error;
    }
  }

  async function countFromSeen(): Promise<void> {
    const ours = await sightings.publishedHead();
    sightings.count(await end.fetch(sight.seen, ours, sight.seen));
  }

  /** Their commit is not here, so that there is at least one. */
  async function fetched(theirs: Oid | null, ours: Oid | null): Promise<Relation> {
    try {
      return await end.fetch(theirs, ours, sight.seen);
    } catch (error) {
      if (theirs !== null) sight.behind = Math.max(1, sight.behind);
      throw error;
    }
  }

  async function runWhole(isUrgent: boolean): Promise<void> {
    await run(isUrgent);
    await end.bringMissing?.(isUrgent);
  }

  /** Brings the remote's commits to our branch. `stop`: nothing is pushed until an administrator chooses. */
  async function meet(theirs: Oid | null): Promise<'met' | 'again' | 'stop'> {
    const ours = await sightings.publishedHead();
    if (theirs === sight.contained && theirs === sight.seen && !sight.moved) {
      sight.lastFetchMs = nowMs();
      sight.behind = 0;
      return 'met';
    }
    if (sight.moved?.theirs === theirs) {
      sight.lastFetchMs = nowMs();
      return 'stop';
    }
    const relation = await fetched(theirs, ours);
    try {
      sight.lastFetchMs = nowMs();
      sightings.count(relation);
      if (theirs && relation.behind > 0) await parts.markExternal?.(ours, theirs);
      if (sight.seen && !relation.hasSeen) return holdOn(sight.seen, theirs);
      if (theirs && relation.behind > 0) await end.bringNew?.(ours, theirs);
      sight.moved = undefined;
      await sightings.see(theirs);
      if (relation.behind === 0) {
        sight.contained = theirs;
        return 'met';
      }
      if (!(await takeIn(log, relation, ours, theirs!))) return 'again';
      sight.contained = theirs;
      sight.behind = 0;
      return 'met';
    } finally {
      if (relation.pack) await work('releasePacks', [relation.pack]);
    }
  }

  /** True once the remote has what we had; false if another push was faster. */
  async function pushOnto(theirs: Oid | null): Promise<boolean> {
    const before = sight.changes;
    const to = await sightings.publishedHead();
    if (!to || to === theirs) {
      sightings.settle(before);
      return true;
    }
    try {
      await end.push(theirs, to, false);
      parts.pushes();
    } catch (error) {
      // The remote may have accepted the push all the same, or another push was faster: the next look shows which.
      sight.contained = undefined;
      if (error instanceof RemoteError && error.failure === 'changed') return false;
      parts.pushes();
      if (error instanceof RemoteError && error.failure === 'refused' && (await end.look()) !== theirs) return false;
      throw error;
    }
    sight.lastPushMs = nowMs();
    await sightings.see(to);
    sight.contained = to;
    sightings.settle(before);
    return true;
  }

  function holdOn(from: Oid, theirs: Oid | null): 'stop' {
    if (sight.moved?.theirs !== theirs) parts.warn(movedText(from, theirs));
    sight.moved = { seen: from, theirs };
    return 'stop';
  }

  return { sight, isPushDue, run, runWhole, choose: createChoice(parts, sightings, () => run(true)) };
}

/**
 * Moves our branch to the remote's commit, or replays ours on top of it. The fetched packs are on the disk by now; the
 * log reads them through an Odb of its own. False if an external commit moved our branch just then.
 */
async function takeIn(
  log: RemoteSyncParts['log'],
  { ahead, base }: Relation,
  ours: Oid | null,
  theirs: Oid,
): Promise<boolean> {
  try {
    if (ahead > 0) {
      await log.replayOnto(theirs, base);
      return true;
    }
    const outcome = await log.advance(ours, theirs);
    if (outcome === 'locked') await delay(LOCKED_MS);
    return outcome === 'moved';
  } catch (error) {
    if (ahead === 0 || !(error instanceof ServiceError) || error.code !== 'unavailable') throw error;
    await delay(LOCKED_MS);
    return false;
  }
}
