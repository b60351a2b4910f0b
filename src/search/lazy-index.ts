// Keeps a text index up to date without holding up writers: what changed is only noted, and handed to the index in
// batches while nobody writes, when much has come together, or before the next query, which therefore finds every write
// that was answered. An index that grows, or whose thread dies, is filled anew in the same way.

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
  /** The entry behind the key has changed or gone. */
  touch(key: string): void;
  /** Finds what was touched before the call, too. */
  query(query: IndexQuery): Promise<FoundTexts>;
  /** `then` runs at the moment that what is saved holds for; without an index (it is being built) there is none. */
  save<T>(then: () => T): Promise<{ result: T; index: (SavedIndex & { waiting: string[] }) | undefined }>;
  /** Queries that are waiting are refused. */
  close(): Promise<void>;
}

export interface LazyIndexParts {
  /** An entry's stored form as it is now, or undefined where it is gone. */
  read(key: string): Uint8Array | undefined;
  /** Of every entry there is. */
  keys(): Iterable<string>;
  size(): number;
  /** An index on this thread, and one on another: the saved one, or empty. */
  openHere(isSaved: boolean): IndexHome;
  openElsewhere(isSaved: boolean, onEnd: (cause: unknown) => void): IndexHome;
  /** Keys that have changed since the index was saved; absent where it was not. */
  changedSince?: Iterable<string> | undefined;
  warn: Warn;
}

/**
 * Entries that are indexed here. So many are a query's longest way to catch up, and they are indexed once however often
 * they are written meanwhile; that costs less than a thread.
 */
const MAX_HERE = 1024;
/** Above this many, what has waited longest goes to the other thread. */
const MAX_WAITING = 256;
/** Who asked this recently will ask again, and then had better find little to catch up with. */
const ASKED_MS = 5000;
/** Handed over and not yet indexed. Whatever is beyond it waits as a key. */
const WINDOW_BYTES = 4 << 20;
/** Work that has run this long lets the event loop go round. */
const SLICE_MS = 4;
/** Keys to note in one turn when all of them are. */
const KEYS_AT_ONCE = 8192;
/** Before the index is built anew after its thread died, by the number of times. */
const REBUILD_MS = [0, 1000, 10_000, 60_000];
/** A thread that lived this long died of something else than the one before. */
const LONG_LIFE_MS = 3_600_000;

/**
 * One function, because opening an index, filling it, asking it and losing it all depend on which index is there now and on
 * what it was given.
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
  /** Resolves with the home once it knows what is in it and what is not. */
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
    opened.catch(() => undefined); // told to who asks
  }

  async function begin(opening: IndexHome, changed: Iterable<string>): Promise<IndexHome> {
    const isFilled = await opening.opened;
    let noted = 0;
    for (const key of isFilled ? changed : keys()) {
      waiting.add(key);
      if (++noted % KEYS_AT_ONCE === 0) await nextTurn();
    }
    if (home !== opening) return opening; // who asked looks again
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
    opened.catch(() => undefined); // told to who asks
    sent.refuse(unavailable());
    if (closed) return;
    warn('the search thread ended; its index is built anew', cause);
    setTimeout(() => closed || open(), waitMs).unref();
  }

  function isTime(to: IndexHome): boolean {
    if (sent.isAwaited() || writes.isQuiet()) return true;
    return to.isElsewhere && (waiting.size > MAX_WAITING || performance.now() - askedAt < ASKED_MS);
  }

  /** Hands over what it is time for. */
  function pump(): void {
    soon = undefined;
    waiting.addTouched();
    if (closed || !home || !isOpen) return;
    const until = performance.now() + SLICE_MS;
    while (waiting.size > 0 && bytesUnderWay < WINDOW_BYTES && isTime(home)) {
      if (!send(home)) break;
      // An entry may have to be read from the disk first.
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

  /** False where nothing could be read for want of descriptors: it goes on waiting. */
  function send(to: IndexHome): boolean {
    const { changes, bytes } = waiting.nextBatch();
    if (changes.length === 0) return false;
    sent.count += changes.length;
    bytesUnderWay += bytes;
    const done = (problems: IndexProblem[]): void => {
      for (const { key, message } of problems) warn(`${key} cannot be searched for: ${message}`);
      if (home !== to) return;
      bytesUnderWay -= bytes;
      pump();
    };
    to.put(changes).then(done, () => undefined); // the home's end is told by itself
    return true;
  }

  /** The home, once everything that is waiting now has been handed to it. */
  async function upToDate(): Promise<IndexHome> {
    for (;;) {
      const to = isOpen ? home! : await opened;
      if (closed) throw unavailable();
      if (home !== to) continue;
      waiting.addTouched();
      const until = sent.count + waiting.size;
      sent.want(until);
      pump();
      await sent.reached(until);
      if (home === to && isOpen) return to;
    }
  }

  /** Too many for this thread by now: they are handed to the other one, all of them, once. */
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
      const to = isOpen ? home! : await opened.catch(() => undefined); // saved without it
      waiting.addTouched();
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
