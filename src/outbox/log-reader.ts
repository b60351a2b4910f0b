// Reads the log for one target: turns each commit into entries, and moves the target's mark to that commit in the same
// append. So a crash at any moment loses nothing, and a commit that is read twice yields entries with the same ids. If
// too many entries wait for the target, its reader waits too, at its mark: the log keeps the commits to report.
import { setTimeout as delay } from 'node:timers/promises';
import type { CommitFeed } from '../history/feed/commit-feed.ts';
import type { Cursor, LoggedCommit } from '../history/feed/logged-commit.ts';
import type { Warn } from '../lib/warn.ts';
import { createCapacity } from './capacity.ts';
import type { Mark } from './marks.ts';
import type { NewEntry } from './outbox.ts';

export interface LogReader {
  readonly topic: string;
  readonly target: string;
  /** Too many entries wait for the target: nothing is read until some of them are finished. */
  isWaiting(): boolean;
  /** Once it resolves, later commits are reported even after a crash. */
  begun(): Promise<void>;
  /** Call it when an entry is finished or the share changes. */
  wake(): void;
  /** Resolves when the last write has ended. */
  close(): Promise<void>;
}

export interface ReadOutbox {
  /** Entries and marks are durable once it resolves. */
  addFromLog(entries: readonly NewEntry[], ...marks: readonly Mark[]): Promise<void>;
  noteMark(mark: Mark): void;
  mark(name: string): string | undefined;
  /** The part of all capacity for waiting entries that one target uses: 0 for nothing, 1 for all, or more. */
  fillOf(topic: string, target: string): number;
  /** The same for a whole topic. */
  fillOfTopic(topic: string): number;
}

export interface LogReaderParts {
  topic: string;
  target: string;
  mark: string;
  feed: Pick<CommitFeed, 'newest' | 'commits'>;
  outbox: ReadOutbox;
  entriesOf(commit: LoggedCommit): Promise<readonly NewEntry[]>;
  /** The part of all capacity for waiting entries that this target may use, from 0 to 1. */
  share(): number;
  warn: Warn;
  retryMs: number;
}

/** The mark of a target that listens since before the first commit, when there is no cursor. */
const BEGINNING = 'beginning';
const toMark = (cursor: Cursor): string => (cursor.length ? cursor.join(' ') : BEGINNING);
const toCursor = (mark: string): Cursor => (mark === BEGINNING ? [] : mark.split(' '));
/** A commit that cannot be read is skipped after so many tries, so that it does not hold up the others for ever. */
const TRIES = 5;
/** Entries are gathered during a write; at most so many. */
const MAX_GATHERED = 2000;
/** Limit for one append, so that a huge commit stalls nothing. After a crash in between its entries are added again. */
const MAX_ADDED = 500;

export function readLog(parts: LogReaderParts): LogReader {
  const { topic, target, mark: name, feed, outbox, share, warn, retryMs } = parts;
  const ending = new AbortController();
  const { signal } = ending;
  let gathered: NewEntry[] = [];
  /** The cursor that the mark gets once `gathered` is durable. */
  let seen: Cursor | undefined;
  let writing: Promise<void> | undefined;
  let beginning: Promise<string> | undefined;
  let failedAt = { commit: '', times: 0 };
  const capacity = createCapacity({ fill: () => outbox.fillOf(topic, target), share, signal, onFull });
  const running = run();

  function onFull(): void {
    warn(`too much waits to be sent to ${topic} "${target}": it gets no further changes until some of that is sent`);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (signal.aborted) return;
        warn(`the outbox could not follow the log for ${topic} "${target}"; it retries`, error);
        await pause();
      }
    }
  }

  async function pause(): Promise<void> {
    // Closing cuts the delay short.
    await delay(retryMs, undefined, { ref: false, signal }).catch(() => undefined);
  }

  async function follow(): Promise<void> {
    const from = outbox.mark(name) ?? (await begin());
    const { commits, lost } = await feed.commits(toCursor(from), signal);
    if (lost) {
      const since = lost.base === null ? 'all changes of the log' : `all changes since commit "${lost.base}"`;
      warn(`commit "${toCursor(from)[0]}", the last that ${topic} "${target}" got, is gone: ${since} are sent again`);
    }
    for await (const commit of commits) {
      if (capacity.isFull()) await write();
      await capacity.until();
      if (signal.aborted) break;
      await gather(commit);
      if (gathered.length >= MAX_GATHERED) await write();
      else void write();
    }
    await write();
  }

  /** Sets the mark to the newest commit. It is durable, so that a crash loses no later commit. */
  function begin(): Promise<string> {
    beginning ??= beginHere().finally(() => {
      beginning = undefined;
    });
    return beginning;
  }

  async function beginHere(): Promise<string> {
    const value = toMark(await feed.newest());
    await outbox.addFromLog([], { name, value });
    return value;
  }

  async function gather(commit: LoggedCommit): Promise<void> {
    try {
      // Pushed in one turn, after the last wait: during a wait `gathered` may be written and replaced by a new array.
      const found = await parts.entriesOf(commit);
      gathered.push(...found);
    } catch (error) {
      failedAt = { commit: commit.commit, times: failedAt.commit === commit.commit ? failedAt.times + 1 : 1 };
      if (failedAt.times < TRIES) {
        await write();
        throw error;
      }
      warn(`commit "${commit.commit}" could not be read; ${topic} "${target}" is not notified of it`, error);
    }
    seen = commit.cursor;
  }

  /** One append at a time; entries that are gathered meanwhile go into the next. */
  function write(): Promise<void> {
    writing ??= writeAll().finally(() => {
      writing = undefined;
    });
    return writing;
  }

  async function writeAll(): Promise<void> {
    while (seen !== undefined) {
      const [entries, mark] = [gathered, { name, value: toMark(seen) }];
      [gathered, seen] = [[], undefined];
      if (entries.length === 0) outbox.noteMark(mark);
      for (let from = 0; from < entries.length; from += MAX_ADDED) {
        // One commit may have more entries than may wait.
        if (from > 0) await capacity.until();
        const isLast = from + MAX_ADDED >= entries.length;
        const some = entries.slice(from, from + MAX_ADDED);
        await addInTheEnd(() => outbox.addFromLog(some, ...(isLast ? [mark] : [])), { pause, signal, warn });
      }
    }
  }

  return {
    topic,
    target,
    isWaiting: capacity.isWaiting,
    async begun() {
      if (outbox.mark(name) === undefined) await begin();
    },
    wake: capacity.wake,
    async close() {
      ending.abort();
      capacity.wake();
      await running;
    },
  };
}

/** Retries until it succeeds, for example while the disk is full: commits in the log have been acknowledged. */
async function addInTheEnd(
  add: () => Promise<void>,
  { pause, signal, warn }: Pick<LogReaderParts, 'warn'> & { pause(): Promise<void>; signal: AbortSignal },
): Promise<void> {
  for (let isReported = false; !signal.aborted; ) {
    try {
      return await add();
    } catch (error) {
      if (!isReported) warn('entries cannot be added to the outbox; it retries until they can', error);
      isReported = true;
      await pause();
    }
  }
}
