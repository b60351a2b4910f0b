// The outbox follows the log: what a commit means for webhooks, revalidation or deploys becomes entries, and in the same
// append a mark moves to that commit. So a crash at any moment loses nothing, and what is done twice comes to entries of
// the same ids. Ours, pushes and replays all come through the log, so nobody has to emit anything. If too much waits to be
// sent, the follower waits too: the log keeps what is to be told.
import { setTimeout as delay } from 'node:timers/promises';
import type { CommitFeed, Cursor, LoggedCommit } from '../history/commit-feed.ts';
import type { Mark } from './open-outbox.ts';
import type { NewEntry } from './outbox.ts';

export interface LogListener {
  /** Nobody listens, nothing is read: then the log costs nothing, and whoever begins to listen hears what comes from then on. */
  isListening(): boolean;
  /**
   * In log order. Asked again for the same commit after a crash, or where it was replayed: ids have to come from its
   * `changeId` and not from chance.
   */
  entriesOf(commit: LoggedCommit): Promise<readonly NewEntry[]>;
}

export interface LogFollower {
  listen(listener: LogListener): void;
  /** Too much waits to be sent: nothing is read until some of that is over. */
  isWaiting(): boolean;
  /**
   * Somebody may have begun to listen, or stopped. Once it resolves, what comes from now on is told also after a crash.
   */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface FollowerParts {
  log: Pick<CommitFeed, 'newest' | 'commits'>;
  outbox: {
    add(entries: readonly NewEntry[]): Promise<void>;
    addWithMark(entries: readonly NewEntry[], mark: Mark): Promise<void>;
    noteMark(mark: Mark): void;
    mark(name: string): string | undefined;
    hasRoom(): boolean;
    /** Resolves when there is room for more. */
    untilRoom(signal: AbortSignal): Promise<void>;
  };
  warn(message: string, error?: unknown): void;
  retryMs?: number;
}

const MARK = 'log';
/** Values of the mark that are no cursor: nobody listens, and somebody does before the first commit. */
const NOWHERE = '';
const BEGINNING = 'beginning';
const toMark = (cursor: Cursor): string => (cursor.length ? cursor.join(' ') : BEGINNING);
const toCursor = (mark: string): Cursor => (mark === BEGINNING ? [] : mark.split(' '));
const RETRY_MS = 5000;
/** Whatever it is about a commit that cannot be read, it does not hold up all the others for ever. */
const TRIES = 5;
/** Entries are gathered while the disk works; so many wait at most. */
const MAX_GATHERED = 2000;
/** At once, so that one commit of very many documents stalls nobody. After a crash in between they come again. */
const MAX_ADDED = 500;

export function followLog({ log, outbox, warn, retryMs = RETRY_MS }: FollowerParts): LogFollower {
  const listeners: LogListener[] = [];
  const closing = new AbortController();
  let current: AbortController | undefined;
  let wake: () => void = () => undefined;
  let gathered: NewEntry[] = [];
  /** What the mark is to be once `gathered` is durable. */
  let seen: Cursor | undefined;
  let isWaiting = false;
  let writing: Promise<void> | undefined;
  let beginning: Promise<string> | undefined;
  let failedAt = { commit: '', times: 0 };
  const running = run();

  const isListening = (): boolean => listeners.some((listener) => listener.isListening());

  async function run(): Promise<void> {
    // Those who listen from the start are there before the first look.
    await new Promise((resume) => setImmediate(resume));
    while (!closing.signal.aborted) {
      if (!isListening()) {
        if (outbox.mark(MARK)) outbox.noteMark({ name: MARK, value: NOWHERE });
        await new Promise<void>((resolve) => (wake = resolve));
        continue;
      }
      try {
        await follow();
      } catch (error) {
        if (closing.signal.aborted) return;
        warn('the log could not be followed; it is tried again', error);
        await pause();
      }
    }
  }

  async function pause(): Promise<void> {
    await Promise.race([
      delay(retryMs, undefined, { ref: false }),
      new Promise((done) => closing.signal.addEventListener('abort', done, { once: true })),
    ]);
  }

  async function follow(): Promise<void> {
    const from = outbox.mark(MARK) || (await begin());
    current = new AbortController();
    const { signal } = current;
    const { commits, lost } = await log.commits(toCursor(from), signal);
    if (lost) {
      const since = lost.base === null ? 'all of its changes are' : `what came since commit ${lost.base} is`;
      warn(`the log has no commit ${toCursor(from)[0]} any more, where webhooks were: ${since} told again`);
    }
    for await (const commit of commits) {
      if (!isListening()) break;
      if (!outbox.hasRoom() && !(await untilRoom(signal))) break;
      await take(commit);
      if (gathered.length >= MAX_GATHERED) await write();
      else void write();
    }
    await write();
  }

  /** False if the following ends meanwhile. */
  async function untilRoom(signal: AbortSignal): Promise<boolean> {
    await write();
    if (!outbox.hasRoom()) {
      isWaiting = true;
      warn('too much waits to be sent; webhooks are told of further changes when some of it has been delivered');
      await outbox.untilRoom(AbortSignal.any([signal, closing.signal]));
      isWaiting = false;
    }
    return !signal.aborted && !closing.signal.aborted;
  }

  /** Begins where the log is now. Durable, so that a crash does not forget what came behind it. */
  function begin(): Promise<string> {
    beginning ??= beginHere().finally(() => {
      beginning = undefined;
    });
    return beginning;
  }

  async function beginHere(): Promise<string> {
    const value = toMark(await log.newest());
    await outbox.addWithMark([], { name: MARK, value });
    return value;
  }

  async function take(commit: LoggedCommit): Promise<void> {
    try {
      // All of a commit's at once, behind the last wait: `gathered` may be written, and another one begun, during each.
      const found: NewEntry[] = [];
      for (const listener of listeners) if (listener.isListening()) found.push(...(await listener.entriesOf(commit)));
      gathered.push(...found);
    } catch (error) {
      failedAt = { commit: commit.commit, times: failedAt.commit === commit.commit ? failedAt.times + 1 : 1 };
      if (failedAt.times < TRIES) {
        await write();
        throw error;
      }
      warn(`commit ${commit.commit} could not be read; nobody is told of it`, error);
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
      const [entries, mark] = [gathered, { name: MARK, value: toMark(seen) }];
      [gathered, seen] = [[], undefined];
      if (entries.length === 0) outbox.noteMark(mark);
      for (let from = 0; from < entries.length; from += MAX_ADDED) {
        const isLast = from + MAX_ADDED >= entries.length;
        const some = entries.slice(from, from + MAX_ADDED);
        await untilThere(() => (isLast ? outbox.addWithMark(some, mark) : outbox.add(some)));
      }
    }
  }

  /** What is in the log has been acknowledged: a full disk is waited for. */
  async function untilThere(add: () => Promise<void>): Promise<void> {
    for (let isTold = false; !closing.signal.aborted; ) {
      try {
        return await add();
      } catch (error) {
        if (!isTold) warn('what is to be sent cannot be written down; it is tried again until it can', error);
        isTold = true;
        await pause();
      }
    }
  }

  return {
    listen(listener) {
      listeners.push(listener);
      wake();
    },
    isWaiting: () => isWaiting,
    async refresh() {
      if (!isListening()) {
        current?.abort();
        return;
      }
      if (!outbox.mark(MARK)) await begin();
      wake();
    },
    async close() {
      closing.abort();
      current?.abort();
      wake();
      await running;
    },
  };
}
