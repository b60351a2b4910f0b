// Reads the log for one target: what a commit means for it becomes entries, and in the same append its mark moves to that
// commit. So a crash at any moment loses nothing, and what is done twice comes to entries of the same ids. If too much
// waits for the target, its reader waits too, at its own mark: the log keeps what is to be told.
import { setTimeout as delay } from 'node:timers/promises';
import type { CommitFeed } from '../history/feed/commit-feed.ts';
import type { Cursor, LoggedCommit } from '../history/feed/logged-commit.ts';
import type { Warn } from '../lib/warn.ts';
import type { Mark } from './marks.ts';
import type { NewEntry } from './outbox.ts';
import { createRoom } from './room.ts';

export interface LogReader {
  readonly topic: string;
  readonly target: string;
  /** Too much waits for it: nothing is read until some of that is over. */
  isWaiting(): boolean;
  /** Resolves once what comes from now on is told also after a crash. */
  begun(): Promise<void>;
  /** Some entry is over, or the share is another one. */
  wake(): void;
  /** Resolves when nothing is written any more. */
  close(): Promise<void>;
}

export interface ReadOutbox {
  /** Durable once it resolves, marks and all. */
  addFromLog(entries: readonly NewEntry[], ...marks: readonly Mark[]): Promise<void>;
  noteMark(mark: Mark): void;
  mark(name: string): string | undefined;
  /** How much of what may wait in all waits for one target, from 0 for nothing to 1, and beyond. */
  fillOf(topic: string, target: string): number;
  /** The same of all that waits of one topic. */
  fillOfTopic(topic: string): number;
}

export interface LogReaderParts {
  topic: string;
  target: string;
  mark: string;
  feed: Pick<CommitFeed, 'newest' | 'commits'>;
  outbox: ReadOutbox;
  entriesOf(commit: LoggedCommit): Promise<readonly NewEntry[]>;
  /** How much of what may wait in all may wait for this target, from 0 to 1. */
  share(): number;
  warn: Warn;
  retryMs: number;
}

/** A mark that is no cursor: somebody listens since before the first commit. */
const BEGINNING = 'beginning';
const toMark = (cursor: Cursor): string => (cursor.length ? cursor.join(' ') : BEGINNING);
const toCursor = (mark: string): Cursor => (mark === BEGINNING ? [] : mark.split(' '));
/** Whatever it is about a commit that cannot be read, it does not hold up all the others for ever. */
const TRIES = 5;
/** Entries are gathered while the disk works; so many wait at most. */
const MAX_GATHERED = 2000;
/** At once, so that one commit of very many documents stalls nobody. After a crash in between they come again. */
const MAX_ADDED = 500;

export function readLog(parts: LogReaderParts): LogReader {
  const { topic, target, mark: name, feed, outbox, share, warn, retryMs } = parts;
  const ending = new AbortController();
  const { signal } = ending;
  let gathered: NewEntry[] = [];
  /** What the mark is to be once `gathered` is durable. */
  let seen: Cursor | undefined;
  let writing: Promise<void> | undefined;
  let beginning: Promise<string> | undefined;
  let failedAt = { commit: '', times: 0 };
  const room = createRoom({ fill: () => outbox.fillOf(topic, target), share, signal, onFull });
  const running = run();

  function onFull(): void {
    warn(`too much waits to be sent to ${topic} "${target}"; it is told of further changes when some of that is over`);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (signal.aborted) return;
        warn(`the log could not be followed for ${topic} "${target}"; it is tried again`, error);
        await pause();
      }
    }
  }

  async function pause(): Promise<void> {
    // The end cuts it short.
    await delay(retryMs, undefined, { ref: false, signal }).catch(() => undefined);
  }

  async function follow(): Promise<void> {
    const from = outbox.mark(name) ?? (await begin());
    const { commits, lost } = await feed.commits(toCursor(from), signal);
    if (lost) {
      const since = lost.base === null ? 'all of its changes are' : `what came since commit ${lost.base} is`;
      warn(`the log has no commit ${toCursor(from)[0]} any more, where ${topic} "${target}" was: ${since} told again`);
    }
    for await (const commit of commits) {
      if (room.isFull()) await write();
      await room.until();
      if (signal.aborted) break;
      await take(commit);
      if (gathered.length >= MAX_GATHERED) await write();
      else void write();
    }
    await write();
  }

  /** Begins where the log is now. Durable, so that a crash does not forget what came behind it. */
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

  async function take(commit: LoggedCommit): Promise<void> {
    try {
      // All of a commit's at once, behind the last wait: `gathered` may be written, and another one begun, meanwhile.
      const found = await parts.entriesOf(commit);
      gathered.push(...found);
    } catch (error) {
      failedAt = { commit: commit.commit, times: failedAt.commit === commit.commit ? failedAt.times + 1 : 1 };
      if (failedAt.times < TRIES) {
        await write();
        throw error;
      }
      warn(`commit ${commit.commit} could not be read; ${topic} "${target}" is not told of it`, error);
    }
    seen = commit.cursor;
  }

  /** One append at a time; what comes meanwhile goes into the next. */
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
        // One commit may be more than may wait.
        if (from > 0) await room.until();
        const isLast = from + MAX_ADDED >= entries.length;
        const some = entries.slice(from, from + MAX_ADDED);
        await untilThere(() => outbox.addFromLog(some, ...(isLast ? [mark] : [])), { pause, signal, warn });
      }
    }
  }

  return {
    topic,
    target,
    isWaiting: room.isWaiting,
    async begun() {
      if (outbox.mark(name) === undefined) await begin();
    },
    wake: room.wake,
    async close() {
      ending.abort();
      room.wake();
      await running;
    },
  };
}

/** What is in the log has been acknowledged: a full disk is waited for. */
async function untilThere(
  add: () => Promise<void>,
  { pause, signal, warn }: Pick<LogReaderParts, 'warn'> & { pause(): Promise<void>; signal: AbortSignal },
): Promise<void> {
  for (let isReported = false; !signal.aborted; ) {
    try {
      return await add();
    } catch (error) {
      if (!isReported) warn('what is to be sent cannot be written down; it is tried again until it can', error);
      isReported = true;
      await pause();
    }
  }
}
