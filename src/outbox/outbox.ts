// What must leave the service, as its callers see it: durable before anybody is answered, delivered at least once, in
// order for each key. How that is done is in open-outbox.ts.

export interface NewEntry {
  /** Stable, so that a repeat is known by it: an id that the outbox still knows is not added again. Made up if absent. */
  id?: string;
  /** Who delivers it: one deliverer is registered for each topic. */
  topic: string;
  /** Entries of one topic and key go one after another, a later one waits while an earlier one is tried again. */
  key: string;
  /** Where it goes. One target's failures hold up no other target's entries. Default: the key. */
  target?: string;
  /** A few short words to list it by; kept in memory, as the payload is not. */
  about?: Record<string, string>;
  /** JSON; at most 2 MiB serialised. */
  payload: object;
}

export interface OutboxEntry {
  readonly id: string;
  readonly topic: string;
  readonly key: string;
  readonly target: string;
  readonly about: Readonly<Record<string, string>>;
  /** When it was added. */
  readonly createdAt: Date;
  /** How often it was tried before. */
  readonly attempts: number;
  // biome-ignore lint/suspicious/noExplicitAny: each topic's deliverer knows what its own payloads are
  readonly payload: any;
}

export interface Delivered {
  ok: boolean;
  /** Nobody will ever take it: no further try. */
  gone?: boolean;
  /** Why not, in a sentence without secrets. */
  detail?: string;
  /** The answer's, where there was one. */
  status?: number;
  durationMs?: number;
  /** The receiver asked for so much patience; at most an hour of it is given. */
  retryAfterMs?: number;
}

/** What it throws counts as `{ok: false}`, its message as the detail. */
export type Deliver = (entry: OutboxEntry, signal: AbortSignal) => Promise<Delivered>;

export type EntryState = 'pending' | 'delivered' | 'failed';

/** How an entry stands; all of it but the payload. */
export interface EntryStatus {
  id: string;
  topic: string;
  key: string;
  target: string;
  about: Readonly<Record<string, string>>;
  state: EntryState;
  attempts: number;
  createdAt: Date;
  lastAttemptAt: Date | undefined;
  /** Of a pending entry; later where an earlier entry of its key is still waiting. */
  nextAttemptAt: Date | undefined;
  /** Of the last attempt. */
  status: number | undefined;
  error: string | undefined;
  durationMs: number | undefined;
}

export interface Outbox {
  /** Resolves once durable. @throws ServiceError `storage_full` where the disk is full; then nothing was added. */
  add(entries: readonly NewEntry[]): Promise<void>;
  /** One deliverer a topic. Entries of a topic without one wait. */
  register(topic: string, deliver: Deliver): void;
}
