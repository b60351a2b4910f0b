// Commits that have become others: ours were replayed on top of external ones. Whoever has seen the old one goes on from
// where the two logs part, and is told what took its place. What the commits say themselves (`Replaces`) comes from the
// repository; the rest is known to this process and to the saved index only.
import { KeyTable } from '../lib/memory/key-table.ts';
import { NumberColumn } from '../lib/memory/number-column.ts';
import type { Oid } from '../store/git/objects.ts';
import type { LogIndex } from './log-index.ts';

export interface ReplayedCommit {
  /** The commit that it is now. */
  now: Oid;
  /** The newest commit before it that was in the log then and is now; null where there is none. */
  base: Oid | null;
}

/** Bytes of an id, and of a record: what it was, what it is now, the base. */
const OID_BYTES = 20;
const RECORD_BYTES = 3 * OID_BYTES;
const NO_BASE = '0'.repeat(2 * OID_BYTES);
/** The oldest half is forgotten beyond that: some 20 MB. */
const MAX_KEPT = 200_000;

export class Replays {
  #max: number;
  #olds = new KeyTable(OID_BYTES);
  /** By the number of the old one: now, base. */
  #records = new NumberColumn((2 * OID_BYTES) / 4);
  #news = new KeyTable(OID_BYTES);
  /** By the number of the new one: the newest old one's number. */
  #newestOld = new NumberColumn();

  /** `saved`: records one behind the other. */
  constructor(saved: Buffer = Buffer.alloc(0), max = MAX_KEPT) {
    this.#max = max;
    this.#load(saved);
  }

  get size(): number {
    return this.#olds.size;
  }

  add(old: Oid, { now, base }: ReplayedCommit): void {
    this.#put(Buffer.from(old + now + (base ?? NO_BASE), 'hex'));
    if (this.#olds.size <= this.#max) return;
    const kept = this.save().subarray(Math.floor(this.#max / 2) * RECORD_BYTES);
    [this.#olds, this.#news] = [new KeyTable(OID_BYTES), new KeyTable(OID_BYTES)];
    [this.#records, this.#newestOld] = [new NumberColumn((2 * OID_BYTES) / 4), new NumberColumn()];
    this.#load(kept);
  }

  find(old: Oid): ReplayedCommit | undefined {
    const number = this.#olds.find(Buffer.from(old, 'hex'));
    if (number < 0) return undefined;
    const record = this.#records.bytesAt(number).toString('hex');
    const base = record.slice(2 * OID_BYTES);
    return { now: record.slice(0, 2 * OID_BYTES), base: base === NO_BASE ? null : base };
  }

  /** What the commit was before. */
  replacedBy(commit: Oid): Oid | undefined {
    const number = this.#news.find(Buffer.from(commit, 'hex'));
    return number < 0 ? undefined : this.#olds.keyOf(this.#newestOld.get(number)).toString('hex');
  }

  /** The commit's position, or that of what it is now; -1 where the log has neither. */
  positionOf(index: LogIndex, commit: Oid): number {
    const seen = new Set<Oid>();
    for (let at: Oid | undefined = commit; at !== undefined && !seen.has(at); at = this.find(at)?.now) {
      const position = index.positionOf(at);
      if (position >= 0) return position;
      seen.add(at);
    }
    return -1;
  }

  save(): Buffer {
    const records: Buffer[] = [];
    for (let number = 0; number < this.#olds.size; number++) {
      records.push(this.#olds.keyOf(number), this.#records.bytesAt(number));
    }
    return Buffer.concat(records);
  }

  #load(saved: Buffer): void {
    for (let at = 0; at + RECORD_BYTES <= saved.length; at += RECORD_BYTES) {
      this.#put(saved.subarray(at, at + RECORD_BYTES));
    }
  }

  #put(record: Buffer): void {
    const number = this.#olds.add(record.subarray(0, OID_BYTES));
    if (number === this.#records.length) this.#records.pushBytes(record.subarray(OID_BYTES));
    else record.copy(this.#records.bytesAt(number), 0, OID_BYTES);
    const now = this.#news.add(record.subarray(OID_BYTES, 2 * OID_BYTES));
    if (now === this.#newestOld.length) this.#newestOld.push(number);
    else this.#newestOld.set(now, number);
  }
}

/** Pairs of text, as indexes were saved earlier. */
export function toRecords(pairs: readonly [Oid, ReplayedCommit][]): Buffer {
  return Buffer.concat(pairs.map(([old, { now, base }]) => Buffer.from(old + now + (base ?? NO_BASE), 'hex')));
}
