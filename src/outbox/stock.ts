// The entries of an outbox in memory: what waits, and what is over as long as there is room for it. No disk and no clock.
import type { Entry } from './entry.ts';

export interface StockLimits {
  /** Entries and bytes that may wait; beyond that the oldest of the longest queue are given up. */
  waiting: number;
  waitingBytes: number;
  /** What is over is kept for so many entries of a topic, and so many bytes in all. */
  finished: number;
  finishedBytes: number;
}

/** Given up at once, so that the queue is not searched for each one. */
const DROP_SHARE = 0.01;

export class Stock {
  readonly #limits: StockLimits;
  /** In the order in which they were added. */
  readonly #entries = new Map<string, Entry>();
  /** By topic, in the order in which they ended. */
  readonly #finished = new Map<string, Set<Entry>>();
  #waiting = 0;
  #waitingBytes = 0;
  #finishedBytes = 0;

  constructor(limits: StockLimits) {
    this.#limits = limits;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Of their lines in the journal. */
  get sizeBytes(): number {
    return this.#waitingBytes + this.#finishedBytes;
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

  /** Some of what is too much: the oldest of the longest queue, as far as they are not on their way. */
  surplus(): Entry[] {
    if (this.#waiting <= this.#limits.waiting && this.#waitingBytes <= this.#limits.waitingBytes) return [];
    const queues = new Map<string, Entry[]>();
    for (const entry of this.#entries.values()) {
      if (entry.state !== 'pending' || entry.isActive) continue;
      const name = `${entry.topic} ${entry.target}`;
      const queue = queues.get(name);
      if (queue) queue.push(entry);
      else queues.set(name, [entry]);
    }
    const longest = [...queues.values()].reduce((most, one) => (one.length > most.length ? one : most), []);
    return longest.slice(0, Math.ceil(this.#waiting * DROP_SHARE));
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
    this.#waiting += sign;
    this.#waitingBytes += sign * entry.place.length;
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
