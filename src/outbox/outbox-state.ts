// The state of an outbox, shared by the functions that add entries, deliver them and maintain the journal.
import { randomInt } from 'node:crypto';
import { createBreathe } from '../lib/queues/slices.ts';
import { type ElapsedMs, elapsedBy } from '../lib/time/elapsed.ts';
import { type Entry, encodeState } from './entry.ts';
import { createJournal, type Journal } from './journal.ts';
import { LIMITS } from './limits.ts';
import { createMarks, type Marks } from './marks.ts';
import { RETRY_MS } from './retry.ts';
import { Stock } from './stock.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';

export interface OutboxParts {
  /** Created when the first entry is added. */
  folder: string;
  now: () => Date;
  /** Elapsed time; follows `now` if absent. */
  elapsedMs?: ElapsedMs;
  warn(message: string, error?: unknown): void;
  /** Returns a reason if another process has taken over the folder: nothing more is written to the journal. */
  lost?: (() => string | undefined) | undefined;
  /** Delays between attempts. */
  schedule?: readonly number[];
  /** From 0 to 1. */
  chance?: () => number;
  limits?: Partial<typeof LIMITS>;
}

export interface OutboxState {
  journal: Journal;
  stock: Stock;
  marks: Marks;
  upkeep: Upkeep;
  limits: typeof LIMITS;
  /** Delays between attempts. */
  schedule: readonly number[];
  /** From 0 to 1. */
  chance(): number;
  nowMs(): number;
  elapsedMs: ElapsedMs;
  /** Returns a promise when it is time to let other work run, else undefined. */
  breathe(): Promise<void> | undefined;
  /** Called whenever fewer entries wait. */
  onOver: (() => void)[];
  isClosed: boolean;
}

export function createOutboxState(parts: OutboxParts): OutboxState {
  const { folder, now, warn, lost, schedule = RETRY_MS, chance = () => randomInt(1 << 20) / (1 << 20) } = parts;
  const { elapsedMs = elapsedBy(now) } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const breathe = createBreathe();
  const journal = createJournal({ folder, breathe, warn, lost });
  const stock = new Stock(limits);
  const marks = createMarks({ noteLine: journal.note, onWritten: () => upkeep.tidy() });
  const upkeep = createUpkeep({ journal, stock, markLines: marks.lines, limits, elapsedMs, warn });
  return {
    ...{ journal, stock, marks, upkeep, limits, schedule, chance, elapsedMs, breathe },
    nowMs: () => now().getTime(),
    onOver: [],
    isClosed: false,
  };
}

/** Appends to the journal; rewrites it first if a disk failure left it in doubt. */
export async function append({ journal, upkeep }: OutboxState, lines: Buffer[]) {
  if (journal.isDoubtful) await upkeep.rewrite();
  return journal.append(lines);
}

export function noteState({ journal }: OutboxState, entry: Entry): void {
  const line = encodeState(entry);
  if (line) journal.note(line);
}

/** Notifies listeners that fewer entries wait. */
export function reportOver({ onOver }: OutboxState): void {
  for (const listener of onOver) listener();
}
