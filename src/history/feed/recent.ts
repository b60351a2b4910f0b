// The newest changes of the log, newest first: what people look at.
import type { Oid } from '../../store/git/objects.ts';
import type { ChangeStep } from '../reported-change.ts';
import { createToDescribed, type DescribedChange } from './described.ts';
import type { FeedParts } from './feed-parts.ts';

export interface RecentChanges {
  changes: DescribedChange[];
  head: Oid | null;
  /** What `before` is for the next older changes; undefined at the end. */
  next: string | undefined;
}

export interface RecentChangesParts extends FeedParts {
  /** How many commits of the log a reader of this commit has seen. */
  seenSince(since: string | undefined): Promise<number>;
  /** Undefined if the log was cut meanwhile. */
  readSteps(first: number, end: number): Promise<ChangeStep[] | undefined>;
}

export function createRecent(
  parts: RecentChangesParts,
): (query: { before?: string | undefined; limit: number }) => Promise<RecentChanges> {
  const { index, following, seenSince, readSteps } = parts;
  const toDescribed = createToDescribed(parts);

  /** A page may end within a commit: then the cursor says how many of its changes, from its first, are still to come. */
  function cursorAt(change: number): string {
    const position = index.positionOfChange(change - 1);
    const within = change - index.firstChangeOf(position);
    const isWhole = index.firstChangeOf(position + 1) === change;
    return isWhole ? index.commitAt(position + 1) : `${index.commitAt(position)}.${within}`;
  }

  /** The number of the first change that is not before `before`. */
  async function changesBefore(before: string | undefined): Promise<number> {
    if (before === undefined) return index.changes;
    const [commit = '', within = '0'] = before.split('.');
    const position = (await seenSince(commit)) - 1;
    return Math.min(index.firstChangeOf(position) + Number(within), index.firstChangeOf(position + 1));
  }

  return async ({ before, limit }) => {
    for (;;) {
      await following.ready();
      const { cuts } = index;
      const end = await changesBefore(before);
      if (index.cuts !== cuts) continue;
      const first = Math.max(0, end - limit);
      const head = index.head ?? null;
      const next = first === 0 ? undefined : cursorAt(first);
      const steps = await readSteps(first, end);
      if (!steps) continue;
      const changes: DescribedChange[] = [];
      for (const step of steps.reverse()) changes.push(await toDescribed(step));
      return { changes, head, next };
    }
  };
}
