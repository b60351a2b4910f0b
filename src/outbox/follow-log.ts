// Follows the log for the outbox: listeners turn each commit into entries for webhooks, revalidation or deploys. Our
// commits, pushes and replays all come through the log, so no code has to emit events. Each target has its own reader,
// its own mark and an equal share of the capacity for waiting entries, so that a dead target holds up no other.
import { setTimeout as delay } from 'node:timers/promises';
import type { CommitFeed } from '../history/feed/commit-feed.ts';
import type { LoggedCommit } from '../history/feed/logged-commit.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import type { Warn } from '../lib/warn.ts';
import { type LogReader, type ReadOutbox, readLog } from './log-reader.ts';
import type { NewEntry } from './outbox.ts';

export interface LogListener {
  /** The topic of its entries. */
  topic: string;
  /** The current targets. Without any, nothing is read; a new target is notified of the commits from then on. */
  targets(): readonly string[];
  /**
   * Called for one target in log order, and again for the same commit after a crash or a replay: ids must derive from
   * its `changeId`, not from chance.
   */
  entriesOf(target: string, commit: LoggedCommit): Promise<readonly NewEntry[]>;
}

export interface LogFollower {
  listen(listener: LogListener): void;
  /** The targets that are notified. For one that `isWaiting` nothing is read until some of its entries are finished. */
  targets(): { topic: string; target: string; isWaiting: boolean }[];
  /** Applies changes of the listeners' targets. Once it resolves, later commits are reported even after a crash. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface FollowerParts {
  feed: Pick<CommitFeed, 'newest' | 'commits'>;
  outbox: ReadOutbox & {
    markNames(): string[];
    /** Calls the listener whenever fewer entries wait. */
    onOver(listener: () => void): void;
  };
  warn: Warn;
  retryMs?: number;
}

/** Prefix of a target's mark; name of the one mark for all targets that earlier versions wrote. */
const PREFIX = 'log ';
const OF_ALL = 'log';
/** The value of a removed mark. */
const GONE = '';
const RETRY_MS = 5000;
/** Limit for all targets together, as a multiple of what may wait. */
const IN_ALL = 1.5;
/** The part of the capacity left by the others that one target may use, so that the next one gets some too. */
const OF_REST = 2 / 3;
/** The least that a target may use, as a part of an equal share. */
const LEAST = 0.1;

export function followLog({ feed, outbox, warn, retryMs = RETRY_MS }: FollowerParts): LogFollower {
  const listeners: LogListener[] = [];
  const readers = new Map<string, LogReader>();
  const closing = new AbortController();
  let adapting: Promise<void> = start();
  outbox.onOver(wake);

  async function start(): Promise<void> {
    // Lets listeners that are registered at startup do so before the first look.
    await nextTurn();
    while (!closing.signal.aborted) {
      try {
        return await adapt();
      } catch (error) {
        warn('the outbox could not follow the log; it retries', error);
        // Closing cuts the delay short.
        await delay(retryMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  /** Starts and closes readers to match the current targets. */
  async function adapt(): Promise<void> {
    if (closing.signal.aborted) return;
    const wanted = listTargets();
    await splitMark(wanted.keys());
    for (const [name, reader] of readers) {
      if (wanted.has(name)) continue;
      readers.delete(name);
      await reader.close();
    }
    for (const name of outbox.markNames()) {
      if (isOurs(name) && !wanted.has(name)) outbox.noteMark({ name, value: GONE });
    }
    for (const [name, { listener, target }] of wanted) {
      if (!readers.has(name)) readers.set(name, read(name, listener, target));
    }
    wake();
  }

  function listTargets(): Map<string, { listener: LogListener; target: string }> {
    const found = new Map<string, { listener: LogListener; target: string }>();
    for (const listener of listeners) {
      for (const target of listener.targets()) found.set(`${PREFIX}${listener.topic} ${target}`, { listener, target });
    }
    return found;
  }

  /** Splits the one mark that an earlier version wrote for all targets into a mark for each. */
  async function splitMark(names: Iterable<string>): Promise<void> {
    const value = outbox.mark(OF_ALL);
    if (value === undefined) return;
    const marks = [...names].filter((name) => outbox.mark(name) === undefined).map((name) => ({ name, value }));
    // The removal comes last: if a power cut leaves only the first lines of the append, the next start splits again.
    await outbox.addFromLog([], ...marks, { name: OF_ALL, value: GONE });
  }

  function read(mark: string, listener: LogListener, target: string): LogReader {
    return readLog({
      ...{ topic: listener.topic, target, mark, feed, outbox, warn, retryMs },
      entriesOf: (commit) => listener.entriesOf(target, commit),
      share: () => shareOf(listener.topic, target),
    });
  }

  /**
   * An equal share, or less if others hold more than theirs, as targets that went dead earlier do: all targets together
   * stay below IN_ALL, and each new target gets some space.
   */
  function shareOf(topic: string, target: string): number {
    const equal = 1 / Math.max(1, readers.size);
    const topics = new Set([...readers.values()].map((reader) => reader.topic));
    let others = -outbox.fillOf(topic, target);
    for (const one of topics) others += outbox.fillOfTopic(one);
    return Math.max(equal * LEAST, Math.min(equal, (IN_ALL - others) * OF_REST));
  }

  function wake(): void {
    for (const reader of readers.values()) reader.wake();
  }

  /** Runs one at a time: if a target is removed and added at once, its new reader starts after the old one ended. */
  function adaptNext(): Promise<void> {
    const next = adapting.then(adapt);
    adapting = next.catch(() => undefined); // the caller gets the error
    return next;
  }

  return {
    listen: (listener) => void listeners.push(listener),
    targets: () =>
      [...readers.values()].map((reader) => ({
        ...{ topic: reader.topic, target: reader.target, isWaiting: reader.isWaiting() },
      })),
    async refresh() {
      await adaptNext();
      await Promise.all([...readers.values()].map((reader) => reader.begun()));
    },
    async close() {
      closing.abort();
      await adapting;
      await Promise.all([...readers.values()].map((reader) => reader.close()));
    },
  };
}

function isOurs(mark: string): boolean {
  return mark === OF_ALL || mark.startsWith(PREFIX);
}
