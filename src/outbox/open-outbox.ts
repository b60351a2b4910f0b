// A site's outbox on its journal: what waits, what became of it, and who delivers it. An entry is there once it is on the
// disk, and delivered until its receiver said so: a crash in between means once more, under the same id.
import { randomInt, randomUUID } from 'node:crypto';
import { ServiceError } from '../lib/errors.ts';
import { createBreathe } from '../lib/queues/slices.ts';
import { type ElapsedMs, elapsedBy } from '../lib/time/elapsed.ts';
import type { Warn } from '../lib/warn.ts';
import { createEntry, type Entry, encodeAs, encodeEntry, encodeState, toStatus } from './entry.ts';
import { createJournal } from './journal.ts';
import { toLine } from './journal-line.ts';
import { createLanes } from './lanes.ts';
import { LIMITS } from './limits.ts';
import type { Deliver, Delivered, EntryStatus, NewEntry, Outbox } from './outbox.ts';
import { readEntries } from './read-entries.ts';
import { isReached, MAX_PATIENCE_MS, pauseMs, RETRY_MS, retryAfterMs } from './retry.ts';
import { Stock } from './stock.ts';

export interface Mark {
  name: string;
  /** Empty: the mark is gone. */
  value: string;
}

export interface OpenedOutbox extends Outbox {
  /**
   * As `add`, and moves marks in the same append: after a crash there are the entries and the marks, or the old marks. Never
   * refused, however much waits: who reads the log goes by `fillOf`.
   */
  addFromLog(entries: readonly NewEntry[], ...marks: readonly Mark[]): Promise<void>;
  /** Moves a mark without waiting for the disk: a crash may bring the old one back. */
  noteMark(mark: Mark): void;
  mark(name: string): string | undefined;
  markNames(): string[];
  /** How much of what may wait in all waits for one target, from 0 for nothing to 1, and beyond. */
  fillOf(topic: string, target: string): number;
  /** The same of all that waits of one topic. */
  fillOfTopic(topic: string): number;
  /**
   * As `add`, for several targets that share what may wait, `targets` in all, so that none of them refuses anybody. What
   * is for a target of which too much waits is not sent: it is left out, or with `error` added as failed without an
   * attempt, so that somebody may redeliver it. Resolves with these targets.
   */
  addWhereRoom(entries: readonly NewEntry[], targets: number, error?: string): Promise<string[]>;
  /** Calls it whenever what waits has become less. */
  onOver(listener: () => void): void;
  /** Newest first. `total` counts all that the filter lets through. */
  list(query: ListQuery): { items: EntryStatus[]; total: number };
  find(topic: string, id: string): Promise<{ status: EntryStatus; payload: unknown } | undefined>;
  /** Sends it now, whatever became of it before. Durable once it resolves; false where there is no such entry. */
  redeliver(topic: string, id: string): Promise<boolean>;
  /** Forgets what waits for a target. */
  drop(topic: string, target: string): Promise<void>;
  /** Looks at what is due now; for those who move the clock. */
  wake(): void;
  /** Resolves when nothing is on its way, and nothing is due that could be. */
  idle(): Promise<void>;
  counts(): { topic: string; pending: number; failed: number }[];
  /** What is under way gets a moment, the rest is there at the next start. */
  close(): Promise<void>;
}

export interface ListQuery {
  topic: string;
  isWanted(entry: { state: string; target: string; about: Readonly<Record<string, string>> }): boolean;
  limit: number;
  offset: number;
}

export interface OutboxParts {
  /** Made when something is first added. */
  folder: string;
  now: () => Date;
  /** Passes as `now` does if absent. */
  elapsedMs?: ElapsedMs;
  warn: Warn;
  /** Why the folder is another process's by now, if it is: nothing is written to the journal any more. */
  lost?: (() => string | undefined) | undefined;
  /** Delays between tries. */
  schedule?: readonly number[];
  /** From 0 to 1. */
  chance?: () => number;
  limits?: Partial<typeof LIMITS>;
}

const REWRITE_RETRY_MS = 5000;
const STOP_MS = 500;
const MARK_MS = 500;
const MAX_ERROR_CHARACTERS = 500;

export async function openOutbox(parts: OutboxParts): Promise<OpenedOutbox> {
  const { folder, now, warn, schedule = RETRY_MS, chance = () => randomInt(1 << 20) / (1 << 20) } = parts;
  const { elapsedMs = elapsedBy(now) } = parts;
  const limits = { ...LIMITS, ...parts.limits };
  const breathe = createBreathe();
  const journal = createJournal({ folder, breathe, warn, lost: parts.lost });
  const stock = new Stock(limits);
  const marks = new Map<string, string>();
  const deliverers = new Map<string, Deliver>();
  /** Marks that moved since they were written. */
  const moved = new Set<string>();
  let marking: NodeJS.Timeout | undefined;
  let isClosed = false;
  let closed: Promise<void> | undefined;
  let rewriting: Promise<void> | undefined;
  /** Something changed while the journal was written anew. */
  let mustLookAgain = false;
  let nextRewriteMs = Number.NEGATIVE_INFINITY;
  const onOver: (() => void)[] = [];
  const ending = new AbortController();
  const nowMs = (): number => now().getTime();

  const lanes = createLanes({
    elapsedMs,
    isServed: (topic) => deliverers.has(topic),
    attempt,
    pauseMs: (failures) => pauseMs(limits.pauseMs, failures),
    perTarget: limits.perTarget,
    perTopic: limits.perTopic,
  });

  await recover();

  async function recover(): Promise<void> {
    const { entries, lastSeenMs } = await readEntries(journal, setMark);
    const over: [Entry, 'delivered' | 'failed'][] = [];
    for (const entry of entries) {
      setTimes(entry, lastSeenMs);
      stock.add(entry);
      if (entry.state === 'delivered' || entry.state === 'failed') over.push([entry, entry.state]);
      else lanes.add(entry);
      await breathe();
    }
    over.sort(([a], [b]) => (a.lastMs ?? a.createdMs) - (b.lastMs ?? b.createdMs));
    for (const [entry, state] of over) stock.finish(entry, state);
  }

  /**
   * What a clock said that may have been set since: nothing is put off for longer than its own delay, and what was added
   * long ago still has half of its time, however long nobody was there.
   */
  function setTimes(entry: Entry, lastSeenMs: number): void {
    const { nextMs, lastMs = nextMs } = entry;
    const longestMs = Math.max(retryAfterMs(schedule, entry.tries, 1) ?? 0, MAX_PATIENCE_MS);
    const leftMs = Math.max(Math.min(nextMs - nowMs(), nextMs - lastMs, longestMs), 0);
    entry.dueMs = elapsedMs() + leftMs;
    entry.nextMs = Math.min(nextMs, nowMs() + leftMs);
    const ageMs = Math.max(lastSeenMs - entry.createdMs, 0);
    entry.addedMs = elapsedMs() - Math.min(ageMs, limits.ageMs / 2);
  }

  async function append(lines: Buffer[]) {
    if (journal.isDoubtful) await rewrite();
    return journal.append(lines);
  }

  /** Those of `news` that `failed` has an error for are over at once. */
  async function add(
    news: readonly NewEntry[],
    newMarks: readonly Mark[] = [],
    failed: ReadonlyMap<NewEntry, string> = new Map(),
  ): Promise<void> {
    const at = nowMs();
    const fresh = new Map<string, NewEntry>();
    for (const one of news) {
      const id = one.id ?? randomUUID();
      if (!stock.find(id) && !fresh.has(id)) fresh.set(id, one);
    }
    const lines = [...fresh].map(([id, one]) => encodeEntry(id, one, at));
    const tooLarge = lines.find(({ length }) => length > limits.payloadBytes);
    if (tooLarge) throw new ServiceError('too_large', `what is to be sent has ${tooLarge.length} bytes`);
    const entries = [...fresh].map(([id, one], i) => {
      const { topic, key, target = key, about = {} } = one;
      const entry = createEntry({ id, topic, key, target, about }, at, { offset: 0, length: lines[i]!.length });
      entry.error = failed.get(one);
      return entry;
    });
    for (const entry of entries) if (entry.error !== undefined) lines.push(encodeAs('failed', entry));
    for (const { name, value } of newMarks) lines.push(toLine({ mark: name, value }));
    if (lines.length === 0) return;
    const places = await append(lines);
    for (const mark of newMarks) {
      setMark(mark);
      moved.delete(mark.name);
    }
    for (const [i, entry] of entries.entries()) {
      const earlier = stock.find(entry.id);
      if (earlier) {
        // Somebody else added the same while the disk worked: it is not the one that failed.
        if (entry.error !== undefined && earlier.state !== 'dropped') journal.note(encodeAs(earlier.state, earlier));
        continue;
      }
      entry.place = places[i]!;
      entry.addedMs = entry.dueMs = elapsedMs();
      stock.add(entry);
      if (entry.error === undefined) lanes.add(entry);
      else stock.finish(entry, 'failed');
    }
    tidy();
    if (!isClosed) lanes.wake();
  }

  function finish(entry: Entry, state: 'delivered' | 'failed', error?: string): void {
    entry.error = error;
    stock.finish(entry, state);
    noteState(entry);
    for (const listener of onOver) listener();
  }

  function setMark({ name, value }: Mark): void {
    if (value === '') marks.delete(name);
    else marks.set(name, value);
  }

  function noteState(entry: Entry): void {
    const line = encodeState(entry);
    if (line) journal.note(line);
  }

  async function attempt(entry: Entry): Promise<'reached' | 'unreached'> {
    const startedMs = nowMs();
    const result = await deliver(entry);
    // Stopped in the middle by our own end: it counts as nothing, and the next start does it.
    if (ending.signal.aborted && !result.ok) return 'reached';
    entry.attempts++;
    entry.tries++;
    entry.lastMs = startedMs;
    entry.status = result.status;
    entry.durationMs = result.durationMs;
    const error = result.ok
      ? undefined
      : (result.detail ?? `answered ${result.status ?? 'nothing'}`).slice(0, MAX_ERROR_CHARACTERS);
    if (entry.state !== 'pending') return 'reached';
    const againMs = retryAfterMs(schedule, entry.tries, chance(), result.retryAfterMs);
    if (result.ok) finish(entry, 'delivered');
    else if (result.gone || againMs === undefined || elapsedMs() - entry.addedMs > limits.ageMs)
      finish(entry, 'failed', error);
    else {
      entry.error = error;
      entry.nextMs = nowMs() + againMs;
      entry.dueMs = elapsedMs() + againMs;
      noteState(entry);
    }
    tidy();
    return isReached(result) ? 'reached' : 'unreached';
  }

  async function deliver(entry: Entry): Promise<Delivered> {
    const { id, topic, key, target, about, createdMs, attempts } = entry;
    const startedAt = performance.now();
    try {
      const payload = await journal.read(entry.place);
      const told = { id, topic, key, target, about, createdAt: new Date(createdMs), attempts, payload };
      return await deliverers.get(topic)!(told, ending.signal);
    } catch (error) {
      const durationMs = Math.round(performance.now() - startedAt);
      return { ok: false, detail: error instanceof Error ? error.message : String(error), durationMs };
    }
  }

  /** Written anew where most of it is of no use any more. */
  function tidy(): void {
    mustLookAgain = rewriting !== undefined;
    if (isClosed || rewriting || elapsedMs() < nextRewriteMs) return;
    if (!journal.isDoubtful && journal.sizeBytes < 2 * stock.sizeBytes + limits.slackBytes) return;
    rewrite().catch((error) => {
      nextRewriteMs = elapsedMs() + REWRITE_RETRY_MS;
      warn("the outbox's journal could not be written anew", error);
    });
  }

  function rewrite(): Promise<void> {
    rewriting ??= journal
      .rewrite(() => {
        const kept = [...stock.all()].sort((a, b) => a.place.offset - b.place.offset);
        return {
          keep: kept.map((entry) => ({ place: entry.place, behind: () => encodeState(entry) })),
          last: () => [...marks].map(([mark, value]) => toLine({ mark, value })),
          moved(places) {
            for (const [i, entry] of kept.entries()) entry.place = places[i]!;
          },
        };
      })
      .finally(() => (rewriting = undefined))
      // Only if something changed: a journal that cannot get smaller is not written anew for ever.
      .then(() => {
        if (mustLookAgain) tidy();
      });
    return rewriting;
  }

  /** A mark may move a thousand times a second; the journal needs the last. */
  function writeMarks(): void {
    marking = undefined;
    for (const mark of moved) journal.note(toLine({ mark, value: marks.get(mark) ?? '' }));
    moved.clear();
    tidy();
  }

  async function close(): Promise<void> {
    isClosed = true;
    const stopped = lanes.stop();
    await within(limits.graceMs, stopped);
    ending.abort();
    await within(STOP_MS, stopped);
    clearTimeout(marking);
    writeMarks();
    await rewriting?.catch(() => undefined); // told where it was started
    await journal.close();
  }

  return {
    async add(news) {
      if (news.some(({ topic }) => stock.isFull(topic)))
        throw new ServiceError('unavailable', 'too much waits to be sent; try again later');
      await add(news);
    },
    async addWhereRoom(news, targets, error) {
      const isTaken = ({ id, topic, key, target = key }: NewEntry): boolean =>
        (id !== undefined && stock.find(id) !== undefined) || stock.hasRoom(topic, target, targets);
      const { taken = [], left = [] } = Object.groupBy(news, (one) => (isTaken(one) ? 'taken' : 'left'));
      if (error === undefined) await add(taken);
      else await add(news, [], new Map(left.map((one) => [one, error])));
      return left.map(({ key, target = key }) => target);
    },
    addFromLog: (news, ...newMarks) => add(news, newMarks),
    noteMark(mark) {
      setMark(mark);
      moved.add(mark.name);
      marking ??= setTimeout(writeMarks, MARK_MS).unref();
    },
    mark: (name) => marks.get(name),
    markNames: () => [...marks.keys()],
    fillOf: (topic, target) => stock.fillOf(topic, target),
    fillOfTopic: (topic) => stock.fillOfTopic(topic),
    onOver: (listener) => void onOver.push(listener),
    register(topic, deliverer) {
      deliverers.set(topic, deliverer);
      lanes.wake();
    },
    list({ topic, isWanted, limit, offset }) {
      const found = [...stock.all()].filter((entry) => entry.topic === topic && isWanted(entry)).reverse();
      return { items: found.slice(offset, offset + limit).map(toStatus), total: found.length };
    },
    async find(topic, id) {
      const entry = stock.find(id);
      if (entry?.topic !== topic) return undefined;
      return { status: toStatus(entry), payload: await journal.read(entry.place) };
    },
    async redeliver(topic, id) {
      const entry = stock.find(id);
      if (entry?.topic !== topic) return false;
      // Before it is sent, so that a crash does not forget that somebody asked for it.
      await append([encodeAs('pending', { ...entry, tries: 0, nextMs: nowMs() })]);
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
      await append([toLine({ drop: target, topic })]);
      stock.drop(topic, target);
      for (const listener of onOver) listener();
      tidy();
    },
    wake: lanes.wake,
    async idle() {
      await lanes.idle();
      while (rewriting) await rewriting.catch(() => undefined); // told where it was started
    },
    counts: () => stock.counts(),
    close: () => (closed ??= close()),
  };
}

/** Resolves when the other does, or after that time. */
async function within(ms: number, other: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([other, new Promise<void>((done) => (timer = setTimeout(done, ms)))]);
  clearTimeout(timer);
}
