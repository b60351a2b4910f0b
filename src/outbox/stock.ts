// The entries of an outbox in memory: what waits, and what is over as long as there is room for it. No disk and no clock.
import type { Entry } from './entry.ts';

export interface StockLimits {
  /** Entries that may wait, bytes of theirs in the journal and in memory; beyond that there is no room for more. */
  waiting: number;
  waitingBytes: number;
  heldBytes: number;
  /** What is over is kept for so many entries of a topic, and so many bytes in all. */
  finished: number;
  finishedBytes: number;
}

/** What waits: all of it, or what of it waits for one target. */
interface Waiting {
  entries: number;
  bytes: number;
  heldBytes: number;
}

/**
 * What nobody else keeps (a submission's notifications) may come on top, as much of each topic; from here on whoever adds
 * to it is refused. Other topics count for themselves: dead webhooks refuse no submission.
 */
const REFUSED = 1;
/** Of its equal share: what of a target's events comes on top of what the log has for it. */
const ON_TOP = 2;
/** The same when so much waits of the topic in all that a part of the targets has more than its share. */
const CROWDED = 2;
const ON_TOP_CROWDED = 0.5;

/** An entry, its lane and its place in the queue, besides their texts. */
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

  /** How much of what may wait waits of one topic, from 0 for nothing to 1, and beyond. */
  fillOfTopic(topic: string): number {
    const waiting = this.#waitingByTopic.get(topic);
    return waiting ? this.#fillOf(waiting) : 0;
  }

  /** How much of what may wait in all waits for one target. */
  fillOf(topic: string, target: string): number {
    const waiting = this.#waitingByTarget.get(nameOf(topic, target));
    return waiting ? this.#fillOf(waiting) : 0;
  }

  /** Whether somebody who adds to the topic is refused. */
  isFull(topic: string): boolean {
    return this.fillOfTopic(topic) >= REFUSED;
  }

  /** Whether a target, one of so many that share what may wait, may have an event on top of what the log has for it. */
  hasRoom(topic: string, target: string, targets: number): boolean {
    const onTop = this.fillOfTopic(topic) < CROWDED ? ON_TOP : ON_TOP_CROWDED;
    return this.fillOf(topic, target) < onTop / Math.max(1, targets);
  }

  /** Of their lines in the journal. */
  get sizeBytes(): number {
    return this.#waiting.bytes + this.#finishedBytes;
  }

  find(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  all(): Iterable<Entry> {
    return this.#entries.values();
  }

  /** One that waits, and that is not there yet. */
  add(entry: Entry): void {
    this.#entries.set(entry.id, entry);
    this.#count(entry, 1);
  }

  finish(entry: Entry, state: 'delivered' | 'failed'): void {
    this.#count(entry, -1);
    entry.state = state;
    this.#keep(entry);
  }

  /** What is over waits again. */
  revive(entry: Entry): void {
    this.#forget(entry);
    entry.state = 'pending';
    this.#count(entry, 1);
  }

  /** What waits for a target is forgotten. */
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
      // Of the topic with the most of them: mails must not push the webhooks' log out.
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

/** What it takes in memory while it waits; it never changes. */
function heldBytes({ id, key, target, about }: Entry): number {
  let characters = id.length + 2 * key.length + target.length;
  for (const name in about) characters += name.length + about[name]!.length;
  return ENTRY_BYTES + 2 * characters;
}
