// Commits of ours that were replayed on top of external ones, under new ids. A reader that has seen the old commit
// continues from where the old and the new log part, and learns which commit replaces it. Replays recorded in commits
// (`Replaces`) come from the repository; only this process and the saved index know the others.
import { KeyTable } from '../lib/memory/key-table.ts';
import { NumberColumn } from '../lib/memory/number-column.ts';
import type { Oid } from '../store/git/objects.ts';
import type { LogIndex } from './log-index.ts';

export interface ReplayedCommit {
  /** The commit that replaces it. */
  now: Oid;
  /** The newest commit before it that was in the log then and still is; null if no such commit exists. */
  base: Oid | null;
}

/** Bytes of an id, and of a record: the old commit, the new commit, the base. */
const OID_BYTES = 20;
const RECORD_BYTES = 3 * OID_BYTES;
const NO_BASE = '0'.repeat(2 * OID_BYTES);
/** Above this number the oldest half is forgotten: some 20 MB. */
const MAX_KEPT = 200_000;

export class Replays {
  #max: number;
  #olds = new KeyTable(OID_BYTES);
  /** By the old commit's number: the new commit and the base. */
  #records = new NumberColumn((2 * OID_BYTES) / 4);
  #news = new KeyTable(OID_BYTES);
  /** By the new commit's number: the number of the newest old commit. */
  #newestOld = new NumberColumn();

  /** `saved`: records, concatenated. */
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

  /** The commit that this one replaced. */
  replacedBy(commit: Oid): Oid | undefined {
    const number = this.#news.find(Buffer.from(commit, 'hex'));
    return number < 0 ? undefined : this.#olds.keyOf(this.#newestOld.get(number)).toString('hex');
  }

  /** The position of the commit, or of the commit that replaced it; -1 if the log has neither. */
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

/** Converts the pairs of text that earlier versions saved. */
export function toRecords(pairs: readonly [Oid, ReplayedCommit][]): Buffer {
  return Buffer.concat(pairs.map(([old, { now, base }]) => Buffer.from(old + now + (base ?? NO_BASE), 'hex')));
}
