// The outbox as its callers see it: entries are durable before a request is answered, and delivered at least once, in
// order for each key. open-outbox.ts implements it.

export interface NewEntry {
  /** Stable, so that it identifies repeats: an id that the outbox still knows is not added again. Random if absent. */
  id?: string;
  /** Selects the deliverer: each topic has one. */
  topic: string;
  /** Entries of one topic and key are sent one after another: a later one waits while an earlier one is retried. */
  key: string;
  /** The receiver. One target's failures hold up no other target's entries. Default: the key. */
  target?: string;
  /** A few short words to list it by; kept in memory, unlike the payload. */
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
  /** Number of earlier attempts. */
  readonly attempts: number;
  // biome-ignore lint/suspicious/noExplicitAny: each topic's deliverer knows what its own payloads are
  readonly payload: any;
}

export interface Delivered {
  ok: boolean;
  /** No receiver will ever accept it: it is not retried. */
  gone?: boolean;
  /** Why it failed, in a sentence without secrets. */
  detail?: string;
  /** Status of the response, if there was one. */
  status?: number;
  durationMs?: number;
  /** The receiver asked for this delay; at most an hour of it is granted. */
  retryAfterMs?: number;
}

/** An error that it throws counts as `{ok: false}`, with its message as the detail. */
export type Deliver = (entry: OutboxEntry, signal: AbortSignal) => Promise<Delivered>;

export type EntryState = 'pending' | 'delivered' | 'failed';

/** An entry and its state, without the payload. */
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
  /** Only for a pending entry; the attempt is later if an earlier entry of its key still waits. */
  nextAttemptAt: Date | undefined;
  /** Status of the last response. */
  status: number | undefined;
  error: string | undefined;
  durationMs: number | undefined;
}

export interface Outbox {
  /** Resolves once durable. @throws ServiceError `storage_full` if the disk is full; then nothing was added. */
  add(entries: readonly NewEntry[]): Promise<void>;
  /**
   * Each topic has one deliverer. Entries of a topic without one wait. `onAttempted` is called after each attempt, once
   * its outcome can be listed.
   */
  register(topic: string, deliver: Deliver, onAttempted?: (id: string) => void): void;
}
