// A site's outbox on its journal: waiting entries, finished ones, and their deliverers. An entry is added once it is on
// the disk, and delivered once its receiver confirms it: after a crash in between it is sent again, under the same id.
import { ServiceError } from '../lib/errors.ts';
import { within } from '../lib/time/within.ts';
import { addEntries } from './add-entries.ts';
import { attempt } from './attempt.ts';
import { encodeAs, toEntryStatus } from './entry.ts';
import { toLine } from './journal-line.ts';
import { createLanes } from './lanes.ts';
import type { Mark } from './marks.ts';
import type { Deliver, EntryStatus, NewEntry, Outbox } from './outbox.ts';
import { append, createOutboxState, type OutboxParts, reportOver } from './outbox-state.ts';
import { recoverEntries } from './recover.ts';
import { pauseMs } from './retry.ts';

export interface OpenedOutbox extends Outbox {
  /**
   * As `add`, and moves marks in the same append: after a crash the marks have moved only if the entries are there.
   * Never refuses, however much waits: readers of the log check `fillOf` themselves.
   */
  addFromLog(entries: readonly NewEntry[], ...marks: readonly Mark[]): Promise<void>;
  /** Moves a mark without waiting for the disk: a crash may bring the old one back. */
  noteMark(mark: Mark): void;
  mark(name: string): string | undefined;
  markNames(): string[];
  /** The part of all capacity for waiting entries that one target uses: 0 for nothing, 1 for all, or more. */
  fillOf(topic: string, target: string): number;
  /** The same for a whole topic. */
  fillOfTopic(topic: string): number;
  /**
   * As `add`, for targets that share the capacity, `targets` in all; a full target refuses no caller. Entries for a full
   * target are not sent: they are left out or, with `error`, added as failed without an attempt, so that a user may
   * redeliver them. Resolves with the full targets.
   */
  addFitting(entries: readonly NewEntry[], targets: number, error?: string): Promise<string[]>;
  /** Calls the listener whenever fewer entries wait. */
  onOver(listener: () => void): void;
  /** Newest first. `total` counts all entries that match the filter. */
  list(query: EntryQuery): { items: EntryStatus[]; total: number };
  find(topic: string, id: string): Promise<{ status: EntryStatus; payload: unknown } | undefined>;
  /** Sends the entry now, whatever its state. Durable once it resolves; false if there is no such entry. */
  redeliver(topic: string, id: string): Promise<boolean>;
  /** Removes the entries that wait for a target. */
  drop(topic: string, target: string): Promise<void>;
  /** Starts the entries that are due; for callers that move the clock. */
  wake(): void;
  /** Resolves when nothing is on its way and nothing that is due could be started. */
  idle(): Promise<void>;
  counts(): { topic: string; pending: number; failed: number }[];
  /** Deliveries under way get a moment to end; all other entries wait for the next start. */
  close(): Promise<void>;
}

export interface EntryQuery {
  topic: string;
  isWanted(entry: {
    state: string;
    target: string;
    about: Readonly<Record<string, string>>;
    attempts: number;
  }): boolean;
  limit: number;
  offset: number;
}

const STOP_MS = 500;

export async function openOutbox(parts: OutboxParts): Promise<OpenedOutbox> {
  const state = createOutboxState(parts);
  const { journal, stock, marks, upkeep, limits, nowMs, elapsedMs } = state;
  const deliverers = new Map<string, Deliver>();
  const ending = new AbortController();
  const attempted = new Map<string, (id: string) => void>();
  const attempting = { state, deliverers, attempted, ending: ending.signal };
  const lanes = createLanes({
    elapsedMs,
    isServed: (topic) => deliverers.has(topic),
    attempt: (entry) => attempt(attempting, entry),
    pauseMs: (failures) => pauseMs(limits.pauseMs, failures),
    perTarget: limits.perTarget,
    perTopic: limits.perTopic,
  });
  let closed: Promise<void> | undefined;
  await recoverEntries(state, lanes);

  const add = (news: readonly NewEntry[], newMarks?: readonly Mark[], failed?: ReadonlyMap<NewEntry, string>) =>
    addEntries(state, lanes, news, newMarks, failed);

  async function close(): Promise<void> {
    state.isClosed = true;
    upkeep.stop();
    const stopped = lanes.stop();
    await within(limits.graceMs, stopped);
    ending.abort();
    await within(STOP_MS, stopped);
    marks.write();
    await upkeep.settled();
    await journal.close();
  }

  return {
    async add(news) {
      if (news.some(({ topic }) => stock.isFull(topic)))
        throw new ServiceError('unavailable', 'too much waits to be sent; try again later');
      await add(news);
    },
    async addFitting(news, targets, error) {
      const fits = ({ id, topic, key, target = key }: NewEntry): boolean =>
        (id !== undefined && stock.find(id) !== undefined) || stock.fits(topic, target, targets);
      const { fitting = [], excess = [] } = Object.groupBy(news, (one) => (fits(one) ? 'fitting' : 'excess'));
      if (error === undefined) await add(fitting);
      else await add(news, [], new Map(excess.map((one) => [one, error])));
      return excess.map(({ key, target = key }) => target);
    },
    addFromLog: (news, ...newMarks) => add(news, newMarks),
    noteMark: marks.note,
    mark: marks.read,
    markNames: marks.names,
    fillOf: (topic, target) => stock.fillOf(topic, target),
    fillOfTopic: (topic) => stock.fillOfTopic(topic),
    onOver: (listener) => void state.onOver.push(listener),
    register(topic, deliverer, onAttempted) {
      deliverers.set(topic, deliverer);
      if (onAttempted) attempted.set(topic, onAttempted);
      lanes.wake();
    },
    list({ topic, isWanted, limit, offset }) {
      const found = [...stock.all()].filter((entry) => entry.topic === topic && isWanted(entry)).reverse();
      return { items: found.slice(offset, offset + limit).map(toEntryStatus), total: found.length };
    },
    async find(topic, id) {
      const entry = stock.find(id);
      if (entry?.topic !== topic) return undefined;
      return { status: toEntryStatus(entry), payload: await journal.read(entry.place) };
    },
    async redeliver(topic, id) {
      const entry = stock.find(id);
      if (entry?.topic !== topic) return false;
      // Written before it is sent, so that a crash does not forget the request.
      await append(state, [encodeAs('pending', { ...entry, tries: 0, nextMs: nowMs() })]);
      if (stock.find(id) !== entry) return false;
      if (entry.state !== 'pending') stock.revive(entry);
      entry.tries = 0;
      entry.nextMs = nowMs();
      entry.dueMs = elapsedMs();
      lanes.hurry(entry);
      lanes.wake();
      return true;
    },
    async drop(topic, target) {
      await append(state, [toLine({ drop: target, topic })]);
      stock.drop(topic, target);
      reportOver(state);
      upkeep.tidy();
    },
    wake: lanes.wake,
    async idle() {
      await lanes.idle();
      await upkeep.idle();
    },
    counts: () => stock.counts(),
    close: () => (closed ??= close()),
  };
}
