// Every change of the log in order, for programs that follow it: as pages, and as a stream that stays open. A client
// that continues from the last commit that it has seen misses nothing and sees nothing twice.

import { invalid, ServiceError } from '../../lib/errors.ts';
import { createBreathe } from '../../lib/queues/slices.ts';
import type { Oid } from '../../store/git/objects.ts';
import { type ChangeStep, stepOf } from '../reported-change.ts';
import { createToChange, type FeedChange } from './change.ts';
import { createToDescribed, type DescribedChange } from './described.ts';
import type { FeedParts } from './feed-parts.ts';
import { createRecent, type RecentChanges, type RecentQuery } from './recent.ts';
import { createReader, createSeenWith } from './seen.ts';

export interface ChangesPage {
  /** Each one serialised as JSON. */
  changes: string[];
  /** The commit to continue from. */
  last: Oid | undefined;
  head: Oid | null;
  /** Whether there are no more changes. */
  isLast: boolean;
}

export interface WatchedChange<C extends FeedChange = FeedChange> {
  change: C;
  /** Whether a reader of this change has all changes of its commit. */
  isLastOfCommit: boolean;
}

export interface Feed {
  /** Changes after `since`. A commit's changes come together, so there may be more than `limit`. */
  changes(query: { since?: string | undefined; limit: number }): Promise<ChangesPage>;
  /** The same changes, then each new one as it becomes durable, until the signal aborts. */
  watch(since: string | undefined): Promise<(signal: AbortSignal) => AsyncIterable<WatchedChange>>;
  /**
   * The newest changes first, for people: at most `limit`, before the commit or the cursor `before`. With filters a page
   * may have fewer, or none, and `next` goes on.
   */
  recent(query: RecentQuery): Promise<RecentChanges>;
  /** As `watch`, described for people; without `since` only new changes. */
  watchRecent(
    since: string | undefined,
  ): Promise<(signal: AbortSignal) => AsyncIterable<WatchedChange<DescribedChange>>>;
}

const OID = /^[0-9a-f]{40}$/;

export function createFeed(parts: FeedParts): Feed {
  const { index, following } = parts;
  const toChange = createToChange(parts);
  const toDescribed = createToDescribed(parts);
  const seenWith = createSeenWith(parts);

  /** How many commits of the log a reader has seen. */
  async function seenSince(since: string | undefined): Promise<number> {
    if (since === undefined) return 0;
    if (!OID.test(since)) throw invalid([{ path: 'since', message: 'must be a commit id of 40 hex digits' }]);
    const seen = await seenWith(since);
    if (seen !== undefined) return seen;
    throw new ServiceError(
      'not_found',
      `the log has no commit "${since}"; read it from the beginning, without "since"`,
    );
  }

  /** Undefined if the log was cut meanwhile: these changes may not be in it any more. */
  async function readSteps(first: number, end: number): Promise<ChangeStep[] | undefined> {
    const { cuts } = index;
    const breathe = createBreathe();
    const steps: ChangeStep[] = [];
    for (let change = first; change < end; change++) {
      await breathe();
      if (index.cuts !== cuts) return undefined;
      steps.push(stepOf(index, change));
    }
    return steps;
  }

  async function* follow<C extends FeedChange>(
    since: string | undefined,
    convert: (step: ChangeStep) => Promise<C>,
    signal: AbortSignal,
  ): AsyncGenerator<WatchedChange<C>> {
    const reader = createReader(following);
    signal.addEventListener('abort', reader.wake, { once: true });
    try {
      const seen = await seenSince(since);
      reader.next = Math.min(reader.next, seen);
      while (!signal.aborted) {
        const first = index.firstChangeOf(reader.next);
        if (first === index.changes) {
          reader.next = index.size;
          await reader.untilGrown();
          continue;
        }
        const position = index.positionOfChange(first);
        reader.next = position + 1;
        const steps = await readSteps(first, index.firstChangeOf(reader.next));
        if (!steps) {
          // The log was cut: read the same position again, or the place of the cut if it is below.
          reader.next = Math.min(reader.next, position);
          continue;
        }
        for (const [i, step] of steps.entries()) {
          if (signal.aborted) return;
          yield { change: await convert(step), isLastOfCommit: i === steps.length - 1 };
        }
      }
    } finally {
      reader.stop();
    }
  }

  return {
    async changes({ since, limit }) {
      for (;;) {
        await following.ready();
        const { cuts } = index;
        const seen = await seenSince(since);
        if (index.cuts !== cuts) continue;
        const first = index.firstChangeOf(seen);
        let end = Math.min(first + limit, index.changes);
        if (end > first) end = index.firstChangeOf(index.positionOfChange(end - 1) + 1);
        const page = { head: index.head ?? null, isLast: end === index.changes };
        const steps = await readSteps(first, end);
        if (!steps) continue;
        const breathe = createBreathe();
        const changes: string[] = [];
        for (const step of steps) {
          changes.push(JSON.stringify(await toChange(step)));
          await breathe();
        }
        return { changes, last: steps.at(-1)?.commit, ...page };
      }
    },
    async watch(since) {
      await following.ready();
      await seenSince(since); // refuses before the stream begins
      return (signal) => follow(since, toChange, signal);
    },
    recent: createRecent({ ...parts, seenSince, readSteps }),
    async watchRecent(since) {
      await following.ready();
      const from = since ?? index.head;
      await seenSince(from);
      return (signal) => follow(from, toDescribed, signal);
    },
  };
}
