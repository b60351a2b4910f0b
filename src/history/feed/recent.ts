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

export interface RecentQuery {
  before?: string | undefined;
  limit: number;
  collection?: string | undefined;
  /** The account behind the change. */
  user?: string | undefined;
  /** Milliseconds since 1970. */
  fromMs?: number | undefined;
  toMs?: number | undefined;
}

/** One request looks at no more changes than this; the next one goes on. */
const LOOK = 5000;
const CHUNK = 200;

export function createRecent(parts: RecentChangesParts): (query: RecentQuery) => Promise<RecentChanges> {
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

  /** Whether a change has the time; `tooOld` for one that no fitting one comes after. */
  function timeOf({ commit }: ChangeStep, { fromMs, toMs }: RecentQuery): 'fits' | 'not' | 'tooOld' {
    if (fromMs === undefined && toMs === undefined) return 'fits';
    const { date, own } = following.record(commit);
    const ms = Date.parse(date);
    // The service's own commits are in the order of their dates; others say what their authors like.
    if (fromMs !== undefined && ms < fromMs) return own ? 'tooOld' : 'not';
    return toMs !== undefined && ms >= toMs ? 'not' : 'fits';
  }

  /** Looks through a part of the log, newest first. Undefined if the log was cut meanwhile. */
  async function collect(query: RecentQuery, end: number): Promise<Omit<RecentChanges, 'head'> | undefined> {
    const { limit, collection, user } = query;
    const { cuts } = index;
    const isFiltered = [collection, user, query.fromMs, query.toMs].some((wanted) => wanted !== undefined);
    const changes: DescribedChange[] = [];
    const lowest = Math.max(0, end - (isFiltered ? LOOK : limit));
    for (let at = end; at > lowest; ) {
      const first = Math.max(lowest, at - (isFiltered ? CHUNK : limit));
      const steps = await readSteps(first, at);
      if (!steps) return undefined;
      for (const step of steps.reverse()) {
        at--;
        const time = timeOf(step, query);
        if (time === 'tooOld') return { changes, next: undefined };
        if (time === 'not') continue;
        const change = await toDescribed(step);
        if (collection !== undefined && change.collection !== collection) continue;
        if (user !== undefined && change.author.id !== user) continue;
        if (index.cuts !== cuts) return undefined;
        if (changes.push(change) === limit) return { changes, next: at === 0 ? undefined : cursorAt(at) };
      }
    }
    if (index.cuts !== cuts) return undefined;
    return { changes, next: lowest === 0 ? undefined : cursorAt(lowest) };
  }

  return async (query) => {
    for (;;) {
      await following.ready();
      const { cuts } = index;
      const end = await changesBefore(query.before);
      if (index.cuts !== cuts) continue;
      const head = index.head ?? null;
      const found = await collect(query, end);
      if (found) return { ...found, head };
    }
  };
}
