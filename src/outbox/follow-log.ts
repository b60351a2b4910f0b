// The outbox follows the log: what a commit means for webhooks, revalidation or deploys becomes entries. Ours, pushes and
// replays all come through the log, so nobody has to emit anything. Each target has a reader and a mark of its own, and an
// equal share of what may wait, so that a dead one holds up no other.
import { setTimeout as delay } from 'node:timers/promises';
import type { CommitFeed } from '../history/feed/commit-feed.ts';
import type { LoggedCommit } from '../history/feed/logged-commit.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import type { Warn } from '../lib/warn.ts';
import { type LogReader, type ReadOutbox, readLog } from './log-reader.ts';
import type { NewEntry } from './outbox.ts';

export interface LogListener {
  /** Of its entries. */
  topic: string;
  /** Who listens now. Without any nothing is read, and whoever begins to listen hears what comes from then on. */
  targets(): readonly string[];
  /**
   * For one target, in log order. Asked again for the same commit after a crash, or where it was replayed: ids have to
   * come from its `changeId` and not from chance.
   */
  entriesOf(target: string, commit: LoggedCommit): Promise<readonly NewEntry[]>;
}

export interface LogFollower {
  listen(listener: LogListener): void;
  /** Who is told. One that waits has so much to be sent that nothing is read for it until some of that is over. */
  targets(): { topic: string; target: string; isWaiting: boolean }[];
  /** Somebody may have begun to listen, or stopped. Once it resolves, what comes from now on is told also after a crash. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface FollowerParts {
  feed: Pick<CommitFeed, 'newest' | 'commits'>;
  outbox: ReadOutbox & {
    markNames(): string[];
    /** Calls it whenever what waits has become less. */
    onOver(listener: () => void): void;
  };
  warn: Warn;
  retryMs?: number;
}

/** A target's mark, and the one for all targets that earlier versions wrote. */
const PREFIX = 'log ';
const OF_ALL = 'log';
/** The value of a mark that is gone. */
const GONE = '';
const RETRY_MS = 5000;
/** Of what may wait, for all targets together. */
const IN_ALL = 1.5;
/** Of what the others leave, so that the next one has some too; equal shares never come to less. */
const OF_REST = 2 / 3;
/** Of an equal share. */
const LEAST = 0.1;

export function followLog({ feed, outbox, warn, retryMs = RETRY_MS }: FollowerParts): LogFollower {
  const listeners: LogListener[] = [];
  const readers = new Map<string, LogReader>();
  const closing = new AbortController();
  let adapting: Promise<void> = start();
  outbox.onOver(wake);

  async function start(): Promise<void> {
    // Those who listen from the start are there before the first look.
    await nextTurn();
    while (!closing.signal.aborted) {
      try {
        return await adapt();
      } catch (error) {
        warn('the log could not be followed; it is tried again', error);
        // The end cuts it short.
        await delay(retryMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
      }
    }
  }

  /** Readers become those of the targets that listen now. */
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

  /** What an earlier version left: where it was for all of them is where each of them is. */
  async function splitMark(names: Iterable<string>): Promise<void> {
    const value = outbox.mark(OF_ALL);
    if (value === undefined) return;
    const marks = [...names].filter((name) => outbox.mark(name) === undefined).map((name) => ({ name, value }));
    // In this order: a power cut may leave the first lines of an append, and then the rest of them is split again.
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
   * An equal share, or less where others have more than theirs, as dead targets do that were there before: all of them
   * together stay below IN_ALL, and each newcomer has some room.
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

  /** One at a time: a target that is back at once begins where its last reader has ended. */
  function adaptNext(): Promise<void> {
    const next = adapting.then(adapt);
    adapting = next.catch(() => undefined); // told to whoever asked for it
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
