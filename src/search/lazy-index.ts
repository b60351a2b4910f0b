// Keeps a text index up to date without holding up writers: changes are only noted, and handed to the index in batches
// between writes, when many have accumulated, or before the next query, which therefore finds every write that was
// answered. An index that moves to the other thread, or whose thread dies, is filled again in the same way.

import type { ServiceError } from '../lib/errors.ts';
import { nextTurn } from '../lib/queues/slices.ts';
import type { Warn } from '../lib/warn.ts';
import { parseTerms } from './engine/terms.ts';
import type { FoundTexts, IndexQuery } from './engine/text-index.ts';
import { type IndexHome, type IndexProblem, noIndex, type SavedIndex } from './index-home.ts';
import { createSentKeys } from './sent-keys.ts';
import { createWaitingKeys } from './waiting-keys.ts';
import { createWriteClock, QUIET_MS } from './write-clock.ts';

export interface LazyIndex {
  /** Notes that the entry of the key has changed or gone. */
  touch(key: string): void;
  /** Sees every change that was touched before the call. */
  query(query: IndexQuery): Promise<FoundTexts>;
  /** `then` runs at the moment whose state is saved. `index` is undefined while the index is being built. */
  save<T>(then: () => T): Promise<{ result: T; index: (SavedIndex & { waiting: string[] }) | undefined }>;
  /** Refuses queries that are waiting. */
  close(): Promise<void>;
}

export interface LazyIndexParts {
  /** An entry's current stored form, or undefined if it is gone. */
  read(key: string): Uint8Array | undefined;
  /** The keys of all entries. */
  keys(): Iterable<string>;
  size(): number;
  /** Opens an index on this thread, or on another: the saved one, or an empty one. */
  openHere(isSaved: boolean): IndexHome;
  openElsewhere(isSaved: boolean, onEnd: (cause: unknown) => void): IndexHome;
  /** Keys that have changed since the index was saved; absent if it was not saved. */
  changedSince?: Iterable<string> | undefined;
  warn: Warn;
}

/**
 * A larger index moves to the other thread. A query here has at most this many entries to catch up with, each indexed
 * once however often it was written meanwhile; that costs less than a thread.
 */
const MAX_HERE = 1024;
/** If more keys wait, those that have waited longest go to the other thread. */
const MAX_WAITING = 256;
/** After a query this recent, more are likely, and should find little to catch up with. */
const ASKED_MS = 5000;
/** At most this much is handed over and not yet indexed. The rest waits as keys. */
const WINDOW_BYTES = 4 << 20;
/** Work that has run this long lets the event loop go round. */
const SLICE_MS = 4;
/** When all keys are noted, this many in one turn. */
const KEYS_AT_ONCE = 8192;
/** Pauses before the index is rebuilt after its thread died, by the number of deaths before. */
const REBUILD_MS = [0, 1000, 10_000, 60_000];
/** A thread that lived this long resets the count of deaths. */
const LONG_LIFE_MS = 3_600_000;

/**
 * One function, because opening an index, filling it, querying it and losing it all depend on which home is current and
 * what it has been given.
 */
export function createLazyIndex(parts: LazyIndexParts): LazyIndex {
  const { read, keys, size, warn } = parts;
  const waiting = createWaitingKeys(read);
  const sent = createSentKeys();
  const writes = createWriteClock();
  let bytesUnderWay = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  let closed = false;
  let deaths = 0;
  let home: IndexHome | undefined;
  /** Resolves to the home once everything that it lacks is noted. */
  let opened: Promise<IndexHome>;
  let isOpen = false;

  function open(changedSince?: Iterable<string>): void {
    const openedAt = performance.now();
    const onEnd = (cause: unknown): void => {
      if (home === opening) died(cause, openedAt);
    };
    const isSaved = changedSince !== undefined;
    const opening = size() > MAX_HERE ? parts.openElsewhere(isSaved, onEnd) : parts.openHere(isSaved);
    home = opening;
    isOpen = false;
    bytesUnderWay = 0;
    opened = begin(opening, changedSince ?? []);
    opened.catch(() => undefined); // queries get the error
  }

  async function begin(opening: IndexHome, changed: Iterable<string>): Promise<IndexHome> {
    const isFilled = await opening.opened;
    let noted = 0;
    for (const key of isFilled ? changed : keys()) {
      waiting.add(key);
      if (++noted % KEYS_AT_ONCE === 0) await nextTurn();
    }
    if (home !== opening) return opening; // a waiting query looks for the new one
    isOpen = true;
    pump();
    return opening;
  }

  const unavailable = (): ServiceError => noIndex({ isClosing: closed });

  function died(cause: unknown, openedAt: number): void {
    home = undefined;
    isOpen = false;
    if (performance.now() - openedAt > LONG_LIFE_MS) deaths = 0;
    const waitMs = REBUILD_MS[Math.min(deaths++, REBUILD_MS.length - 1)]!;
    opened = Promise.reject(unavailable());
    opened.catch(() => undefined); // queries get the error
    sent.refuse(unavailable());
    if (closed) return;
    warn('the search thread ended; its index is being rebuilt', cause);
    setTimeout(() => closed || open(), waitMs).unref();
  }

  function isTime(to: IndexHome): boolean {
    if (sent.isAwaited() || writes.isQuiet()) return true;
    return to.isElsewhere && (waiting.size > MAX_WAITING || performance.now() - askedAt < ASKED_MS);
  }

  /** Hands over batches as long as it is time to. */
  function pump(): void {
    soon = undefined;
    waiting.mergeTouched();
    if (closed || !home || !isOpen) return;
    const until = performance.now() + SLICE_MS;
    while (waiting.size > 0 && bytesUnderWay < WINDOW_BYTES && isTime(home)) {
      if (!send(home)) break;
      // Batches may take time to read from the disk.
      if (performance.now() < until) continue;
      soon ??= setImmediate(pump);
      break;
    }
    sent.release();
    if (waiting.size > 0) timer ??= setTimeout(onTimer, QUIET_MS).unref();
  }

  function onTimer(): void {
    timer = undefined;
    pump();
  }

  /** Hands over one batch. Returns false if nothing could be read for lack of resources; the keys keep waiting. */
  function send(to: IndexHome): boolean {
    const { changes, bytes } = waiting.nextBatch();
    if (changes.length === 0) return false;
    sent.count += changes.length;
    bytesUnderWay += bytes;
    const done = (problems: IndexProblem[]): void => {
      for (const { key, message } of problems) warn(`"${key}" cannot be indexed for search: ${message}`);
      if (home !== to) return;
      bytesUnderWay -= bytes;
      pump();
    };
    to.put(changes).then(done, () => undefined); // `onEnd` reports the end of the home
    return true;
  }

  /** The home, once everything that is waiting now has been handed to it. */
  async function upToDate(): Promise<IndexHome> {
    for (;;) {
      const to = isOpen ? home! : await opened;
      if (closed) throw unavailable();
      if (home !== to) continue;
      waiting.mergeTouched();
      const until = sent.count + waiting.size;
      sent.want(until);
      pump();
      // Without the check a query of an index that is up to date would wait for a turn of promises as well.
      if (sent.count < until) await sent.reached(until);
      if (home === to && isOpen) return to;
    }
  }

  /** The index has outgrown this thread: every entry is handed to the other one. */
  function moveOut(): void {
    open();
    sent.releaseAll();
  }

  open(parts.changedSince);

  return {
    touch(key) {
      if (closed) return;
      waiting.touch(key);
      writes.note();
      if (home && !home.isElsewhere && size() > MAX_HERE) moveOut();
      timer ??= setTimeout(onTimer, QUIET_MS).unref();
      if (home?.isElsewhere) soon ??= setImmediate(pump);
    },
    async query(query) {
      parseTerms(query.q);
      askedAt = performance.now();
      const to = await upToDate();
      return to.query(query);
    },
    async save(then) {
      const to = isOpen ? home! : await opened.catch(() => undefined); // save without an index
      waiting.mergeTouched();
      const index = to && home === to ? { ...to.save(), waiting: waiting.list() } : undefined;
      return { result: then(), index };
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      clearImmediate(soon);
      waiting.clear();
      sent.refuse(unavailable());
      await home?.close();
    },
  };
}
