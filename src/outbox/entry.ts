// An entry as the outbox keeps it in memory, and its lines in the journal. The payload stays on the disk: a hundred
// thousand entries may wait for a receiver that is down for days.

import { type LinePlace, toLine } from './journal-line.ts';
import type { EntryState, EntryStatus, NewEntry } from './outbox.ts';

export interface Entry {
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  readonly target: string;
  readonly about: Readonly<Record<string, string>>;
  readonly createdMs: number;
  /** Place of its line in the journal. */
  place: LinePlace;
  state: EntryState | 'dropped';
  isActive: boolean;
  /** It is in its lane, waiting or being delivered. */
  isQueued: boolean;
  attempts: number;
  /** Attempts since the last manual redelivery, which starts the retry schedule over. */
  tries: number;
  nextMs: number;
  /** `nextMs` and the time of adding, in elapsed time: on the clock that is never set. */
  dueMs: number;
  addedMs: number;
  lastMs: number | undefined;
  status: number | undefined;
  error: string | undefined;
  durationMs: number | undefined;
  /** The next entry of its lane. */
  next: Entry | undefined;
}

/** A journal line about an entry that was added before. */
interface StateHead {
  state: string;
  is: EntryState;
  attempts: number;
  tries: number;
  next: number;
  last?: number | undefined;
  status?: number | undefined;
  error?: string | undefined;
  took?: number | undefined;
}

export function encodeEntry(id: string, { topic, key, target, about, payload }: NewEntry, at: number): Buffer {
  return toLine({ entry: id, topic, key, ...(target && { target }), ...(about && { about }), at }, payload);
}

export function decodeEntry(head: Record<string, unknown>, place: LinePlace): Entry {
  const { entry, topic, key, target = key, about = {}, at } = head as Record<string, string>;
  return createEntry(
    { id: entry!, topic: topic!, key: key!, target: target!, about: about as unknown as Record<string, string> },
    Number(at),
    place,
  );
}

export function createEntry(
  { id, topic, key, target, about }: Pick<Entry, 'id' | 'topic' | 'key' | 'target' | 'about'>,
  createdMs: number,
  place: LinePlace,
): Entry {
  return {
    id,
    topic,
    key,
    target,
    about,
    createdMs,
    place,
    state: 'pending',
    isActive: false,
    isQueued: false,
    attempts: 0,
    tries: 0,
    nextMs: createdMs,
    dueMs: Number.NEGATIVE_INFINITY,
    addedMs: 0,
    lastMs: undefined,
    status: undefined,
    error: undefined,
    durationMs: undefined,
    next: undefined,
  };
}

/** Returns undefined if nothing has happened since the entry was added. */
export function encodeState(entry: Entry): Buffer | undefined {
  const { state, attempts } = entry;
  if (state === 'dropped' || (state === 'pending' && attempts === 0)) return undefined;
  return encodeAs(state, entry);
}

/** Encodes the entry as if it were in that state. */
export function encodeAs(state: EntryState, entry: Entry): Buffer {
  const { id, attempts, tries, nextMs, lastMs, status, error, durationMs } = entry;
  const head: StateHead = {
    state: id,
    is: state,
    attempts,
    tries,
    next: nextMs,
    last: lastMs,
    status,
    error,
    took: durationMs,
  };
  return toLine(head);
}

export function applyState(entry: Entry, line: Record<string, unknown>): void {
  const head = line as unknown as StateHead;
  entry.state = head.is;
  entry.attempts = head.attempts;
  entry.tries = head.tries;
  entry.nextMs = head.next;
  entry.lastMs = head.last;
  entry.status = head.status;
  entry.error = head.error;
  entry.durationMs = head.took;
}

export function toEntryStatus(entry: Entry): EntryStatus {
  const { id, topic, key, target, about, attempts, status, error, durationMs } = entry;
  const state = entry.state === 'dropped' ? 'failed' : entry.state;
  return {
    id,
    topic,
    key,
    target,
    about,
    state,
    attempts,
    createdAt: new Date(entry.createdMs),
    lastAttemptAt: entry.lastMs === undefined ? undefined : new Date(entry.lastMs),
    nextAttemptAt: state === 'pending' ? new Date(entry.nextMs) : undefined,
    status,
    error,
    durationMs,
  };
}
