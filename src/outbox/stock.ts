// The entries of an outbox in memory: waiting ones, and finished ones as long as there is space. No disk and no clock.
import type { Entry } from './entry.ts';

export interface StockLimits {
  /** How many entries may wait, and how many bytes of theirs in the journal and in memory. */
  waiting: number;
  waitingBytes: number;
  heldBytes: number;
  /** How many finished entries of each topic are kept, and how many bytes of them in all. */
  finished: number;
  finishedBytes: number;
}

/** Totals of waiting entries: of all, of one topic or of one target. */
interface Waiting {
  entries: number;
  bytes: number;
  heldBytes: number;
}

/**
 * From this fill of a topic on, `add` refuses. Entries that nothing else keeps (a submission's notifications) may use
 * as much as this. Each topic counts separately: dead webhooks refuse no submission.
 */
const REFUSED = 1;
/** How many equal shares a target may hold, events that come on top of the log's entries included. */
const ON_TOP = 2;
/** From this fill of a topic on, some targets hold more than their share, and ON_TOP_CROWDED replaces ON_TOP. */
const CROWDED = 2;
const ON_TOP_CROWDED = 0.5;

/** Memory for an entry, its lane and its place in the queue, without their texts. */
const ENTRY_BYTES = 1000;

export class Stock {
  readonly #limits: StockLimits;
  /** In the order in which they were added. */
  readonly #entries = new Map<string, Entry>();
  /** By topic, in the order in which they ended. */
  readonly #finished = new Map<string, Set<Entry>>();
  readonly #waiting: Waiting = nothing();
  readonly #waitingByTopic = new Map<string, Waiting>();
  readonly #waitingByTarget = new Map<string, Waiting>();
  #finishedBytes = 0;

  constructor(limits: StockLimits) {
    this.#limits = limits;
  }

  /** The part of all capacity for waiting entries that one topic uses: 0 for nothing, 1 for all, or more. */
  fillOfTopic(topic: string): number {
    const waiting = this.#waitingByTopic.get(topic);
    return waiting ? this.#fillOf(waiting) : 0;
  }

  /** The same for one target. */
  fillOf(topic: string, target: string): number {
    const waiting = this.#waitingByTarget.get(nameOf(topic, target));
    return waiting ? this.#fillOf(waiting) : 0;
  }

  /** Whether `add` to the topic is refused. */
  isFull(topic: string): boolean {
    return this.fillOfTopic(topic) >= REFUSED;
  }

  /** Whether a target, one of `targets` that share the capacity, may get an event on top of its entries from the log. */
  fits(topic: string, target: string, targets: number): boolean {
    const onTop = this.fillOfTopic(topic) < CROWDED ? ON_TOP : ON_TOP_CROWDED;
    return this.fillOf(topic, target) < onTop / Math.max(1, targets);
  }

  /** Size of the entries' lines in the journal. */
  get sizeBytes(): number {
    return this.#waiting.bytes + this.#finishedBytes;
  }

  find(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  all(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** Adds a pending entry with a new id. */
  add(entry: Entry): void {
    this.#entries.set(entry.id, entry);
    this.#count(entry, 1);
  }

  finish(entry: Entry, state: 'delivered' | 'failed'): void {
    this.#count(entry, -1);
    entry.state = state;
    this.#keep(entry);
  }

  /** Makes a finished entry pending again. */
  revive(entry: Entry): void {
    this.#forget(entry);
    entry.state = 'pending';
    this.#count(entry, 1);
  }

  /** Removes the entries that wait for a target. */
  drop(topic: string, target: string): void {
    for (const entry of this.#entries.values()) {
      if (entry.topic !== topic || entry.target !== target || entry.state !== 'pending') continue;
      this.#count(entry, -1);
      entry.state = 'dropped';
      this.#entries.delete(entry.id);
    }
  }

  counts(): { topic: string; pending: number; failed: number }[] {
    const byTopic = new Map<string, { topic: string; pending: number; failed: number }>();
    for (const { topic, state } of this.#entries.values()) {
      const counts = byTopic.get(topic) ?? { topic, pending: 0, failed: 0 };
      if (state === 'pending') counts.pending++;
      if (state === 'failed') counts.failed++;
      byTopic.set(topic, counts);
    }
    return [...byTopic.values()];
  }

  #count(entry: Entry, sign: 1 | -1): void {
    const name = nameOf(entry.topic, entry.target);
    const ofTarget = this.#waitingByTarget.get(name) ?? nothing();
    const ofTopic = this.#waitingByTopic.get(entry.topic) ?? nothing();
    this.#waitingByTopic.set(entry.topic, ofTopic);
    for (const waiting of [this.#waiting, ofTopic, ofTarget]) {
      waiting.entries += sign;
      waiting.bytes += sign * entry.place.length;
      waiting.heldBytes += sign * heldBytes(entry);
    }
    if (ofTarget.entries > 0) this.#waitingByTarget.set(name, ofTarget);
    else this.#waitingByTarget.delete(name);
  }

  #fillOf({ entries, bytes, heldBytes: held }: Waiting): number {
    const { waiting, waitingBytes, heldBytes } = this.#limits;
    return Math.max(entries / waiting, bytes / waitingBytes, held / heldBytes);
  }

  #keep(entry: Entry): void {
    const kept = this.#finished.get(entry.topic) ?? new Set();
    this.#finished.set(entry.topic, kept);
    kept.add(entry);
    this.#finishedBytes += entry.place.length;
    if (kept.size > this.#limits.finished) this.#forgetOldest(kept);
    while (this.#finishedBytes > this.#limits.finishedBytes) {
      // From the topic with the most of them: mail must not push out the webhooks' deliveries.
      this.#forgetOldest([...this.#finished.values()].reduce((most, one) => (one.size > most.size ? one : most)));
    }
  }

  #forgetOldest(kept: ReadonlySet<Entry>): void {
    for (const entry of kept) {
      this.#forget(entry);
      this.#entries.delete(entry.id);
      return;
    }
  }

  #forget(entry: Entry): void {
    if (this.#finished.get(entry.topic)?.delete(entry)) this.#finishedBytes -= entry.place.length;
  }
}

function nothing(): Waiting {
  return { entries: 0, bytes: 0, heldBytes: 0 };
}

function nameOf(topic: string, target: string): string {
  return `${topic} ${target}`;
}

/** Memory that the entry uses while it waits; it never changes. */
function heldBytes({ id, key, target, about }: Entry): number {
  let characters = id.length + 2 * key.length + target.length;
  for (const name in about) characters += name.length + about[name]!.length;
  return ENTRY_BYTES + 2 * characters;
}
