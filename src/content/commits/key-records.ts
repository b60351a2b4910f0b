// Records of the keyed creations of a day, 80 bytes each: the answers themselves are in the repository. Beyond some
// 260,000 keys only a trace of the older ones is kept, and those are looked for in the log.

import { KeyTable } from '../../lib/memory/key-table.ts';
import { NumberColumn } from '../../lib/memory/number-column.ts';

export interface KeyRecord {
  bodyDigest: string;
  /** Blob id of the document as it was answered. */
  blob: string;
  commit: string;
  /** When it was remembered, on the clock that is passed in. */
  bornMs: number;
}

interface Generation {
  scopes: KeyTable;
  records: NumberColumn;
  newestMs: number;
}

/** Keys by the first bytes of their scope. */
interface Traces {
  scopes: KeyTable;
  newestMs: number;
}

const DIGEST_BYTES = 16;
const OID_BYTES = 20;
const TRACE_BYTES = 4;
const RECORD_BYTES = DIGEST_BYTES + 2 * OID_BYTES + 4;
const GENERATION_KEYS = 65_536;
const GENERATIONS = 4;

export class KeyRecords {
  readonly #generationKeys: number;
  /** Oldest first. */
  #generations: Generation[] = [];
  #traces: Traces[] = [];

  constructor(generationKeys = GENERATION_KEYS) {
    this.#generationKeys = generationKeys;
  }

  get sizeBytes(): number {
    const full = this.#generations.reduce((sum, { scopes, records }) => sum + scopes.sizeBytes + records.sizeBytes, 0);
    return this.#traces.reduce((sum, { scopes }) => sum + scopes.sizeBytes, full);
  }

  /** Adds a record that is newer than all others. */
  add(scope: string, record: KeyRecord): void {
    let newest = this.#generations.at(-1);
    if (!newest || newest.scopes.size >= this.#generationKeys) {
      newest = createGeneration();
      this.#generations.push(newest);
      if (this.#generations.length > GENERATIONS) this.#traces.push(traceOf(this.#generations.shift()!));
    }
    put(newest, scope, record);
  }

  /** Adds a record that is older than all others; does nothing if the scope has a newer one. */
  addOlder(scope: string, record: KeyRecord): void {
    if (this.find(scope)) return;
    let oldest = this.#generations[0];
    if (!oldest || oldest.scopes.size >= this.#generationKeys) {
      if (this.#generations.length >= GENERATIONS) {
        this.#addTrace(scope, record.bornMs);
        return;
      }
      oldest = createGeneration();
      this.#generations.unshift(oldest);
    }
    put(oldest, scope, record);
  }

  find(scope: string): KeyRecord | undefined {
    const key = Buffer.from(scope, 'hex');
    for (const { scopes, records } of this.#generations.toReversed()) {
      const number = scopes.find(key);
      if (number >= 0) return decode(records.bytesAt(number));
    }
    return undefined;
  }

  /** Whether the log may have a record that is not found here. */
  mayHaveOlder(scope: string): boolean {
    const trace = Buffer.from(scope.slice(0, 2 * TRACE_BYTES), 'hex');
    return this.#traces.some(({ scopes }) => scopes.find(trace) >= 0);
  }

  /** Drops generations whose newest key was remembered by then; callers check the time of each record themselves. */
  forgetUntil(ms: number): void {
    const isYoung = ({ newestMs }: { newestMs: number }): boolean => newestMs > ms;
    if (!this.#traces.every(isYoung)) this.#traces = this.#traces.filter(isYoung);
    if (!this.#generations.every(isYoung)) this.#generations = this.#generations.filter(isYoung);
  }

  #addTrace(scope: string, bornMs: number): void {
    this.#traces[0] ??= { scopes: new KeyTable(TRACE_BYTES), newestMs: Number.NEGATIVE_INFINITY };
    const [oldest] = this.#traces;
    oldest.scopes.add(Buffer.from(scope.slice(0, 2 * TRACE_BYTES), 'hex'));
    oldest.newestMs = Math.max(oldest.newestMs, bornMs);
  }
}

function createGeneration(): Generation {
  return {
    scopes: new KeyTable(DIGEST_BYTES),
    records: new NumberColumn(RECORD_BYTES / 4),
    newestMs: Number.NEGATIVE_INFINITY,
  };
}

function traceOf({ scopes, newestMs }: Generation): Traces {
  const traces = new KeyTable(TRACE_BYTES);
  for (let number = 0; number < scopes.size; number++) traces.add(scopes.keyOf(number).subarray(0, TRACE_BYTES));
  return { scopes: traces, newestMs };
}

function put(to: Generation, scope: string, { bodyDigest, blob, commit, bornMs }: KeyRecord): void {
  const record = Buffer.alloc(RECORD_BYTES);
  record.write(bodyDigest + blob + commit, 'hex');
  record.writeInt32LE(Math.floor(bornMs / 1000), RECORD_BYTES - 4);
  const number = to.scopes.add(Buffer.from(scope, 'hex'));
  if (number === to.records.length) to.records.pushBytes(record);
  else record.copy(to.records.bytesAt(number));
  to.newestMs = Math.max(to.newestMs, bornMs);
}

function decode(record: Buffer): KeyRecord {
  const text = record.toString('hex');
  const [digestEnd, blobEnd, commitEnd] = [DIGEST_BYTES, DIGEST_BYTES + OID_BYTES, DIGEST_BYTES + 2 * OID_BYTES];
  return {
    bodyDigest: text.slice(0, 2 * digestEnd),
    blob: text.slice(2 * digestEnd, 2 * blobEnd),
    commit: text.slice(2 * blobEnd, 2 * commitEnd),
    bornMs: record.readInt32LE(RECORD_BYTES - 4) * 1000,
  };
}
