// Decides which entry is sent next: entries of one key one after another, a few at a time for each target and a few
// more for each topic. A target that does not answer gets only one now and then: it costs little and holds up no other.
import { DueQueue } from './due-queue.ts';
import type { Entry } from './entry.ts';
import { createLaneTable, insertFirst, insertLast, type Lane, skipSettled, type Target } from './lane.ts';

export interface LanesParts {
  /** Elapsed time, so that setting the clock holds nothing up. */
  elapsedMs(): number;
  /** Whether the topic has a deliverer. */
  isServed(topic: string): boolean;
  /** Never throws. An entry that is still pending afterwards is retried at its `dueMs`. */
  attempt(entry: Entry): Promise<'reached' | 'unreached'>;
  pauseMs(failures: number): number;
  perTarget: number;
  perTopic: number;
}

export interface Lanes {
  add(entry: Entry): void;
  /** Makes the entry due now: at its place in the queue, or before all others of its key if it has left the queue. */
  hurry(entry: Entry): void;
  /** Starts the entries that are due. */
  wake(): void;
  /** Resolves when nothing is on its way and nothing that is due could be started. */
  idle(): Promise<void>;
  /** Starts no more entries; resolves when nothing is on its way. */
  stop(): Promise<void>;
}

/** The longest sleep: the machine itself may be suspended meanwhile. */
const LOOK_MS = 60_000;
/** After so many failures in a row a target gets one entry at a time, with pauses. */
const TRUSTED_FAILURES = 3;
const URGENT = -1;
const ORDINARY = 0;

export function createLanes(parts: LanesParts): Lanes {
  const { laneOf, remove } = createLaneTable();
  /** Targets with lanes that are ready, in the order of their turns. */
  const ready = new Set<Target>();
  const due = new DueQueue<{ lane: Lane; entry: Entry; atMs: number }>();
  let active = 0;
  const activeByTopic = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const waitingForIdle: (() => void)[] = [];

  function wait(lane: Lane): void {
    const entry = skipSettled(lane);
    if (entry) {
      lane.at = 'due';
      due.add(entry.dueMs, { lane, entry, atMs: entry.dueMs });
    } else remove(lane);
  }

  function wake(): void {
    if (isStopped) return;
    const nowMs = parts.elapsedMs();
    for (let found = due.next(nowMs); found; found = due.next(nowMs)) {
      const { lane, entry, atMs } = found;
      // Outdated: another entry is first by now, or the same one is due at another time.
      if (lane.at !== 'due' || lane.head !== entry || entry.dueMs !== atMs) continue;
      lane.at = 'ready';
      line(lane, lane.isUrgent ? URGENT : ORDINARY);
    }
    for (const target of [...ready]) serve(target, nowMs);
    rest(nowMs);
  }

  function line(lane: Lane, rank: number): void {
    lane.target.ready.add(rank, lane);
    ready.add(lane.target);
  }

  function serve(target: Target, nowMs: number): void {
    const isTrusted = target.failures < TRUSTED_FAILURES;
    if (!parts.isServed(target.topic) || target.pausedUntilMs > nowMs) return;
    while (activeOf(target.topic) < parts.perTopic && target.active < (isTrusted ? parts.perTarget : 1)) {
      const lane = target.ready.next(ORDINARY);
      if (!lane) break;
      // It was queued twice, and has had its turn.
      if (lane.at !== 'ready') continue;
      if (lane.head?.state === 'pending') void start(lane, lane.head);
      else wait(lane);
    }
    ready.delete(target);
    // To the end of the queue: each target gets its turn.
    if (target.ready.size) ready.add(target);
  }

  async function start(lane: Lane, entry: Entry): Promise<void> {
    const { target } = lane;
    lane.at = 'active';
    lane.isUrgent = false;
    entry.isActive = true;
    count(target, 1);
    const outcome = await parts.attempt(entry);
    count(target, -1);
    entry.isActive = false;
    target.failures = outcome === 'reached' ? 0 : target.failures + 1;
    if (outcome === 'reached') target.pausedUntilMs = 0;
    if (target.failures >= TRUSTED_FAILURES) {
      target.pausedUntilMs = parts.elapsedMs() + parts.pauseMs(target.failures - TRUSTED_FAILURES);
    }
    wait(lane);
    wake();
    if (active === 0) for (const done of waitingForIdle.splice(0)) done();
  }

  function count(target: Target, sign: 1 | -1): void {
    active += sign;
    target.active += sign;
    activeByTopic.set(target.topic, activeOf(target.topic) + sign);
  }

  const activeOf = (topic: string): number => activeByTopic.get(topic) ?? 0;

  function rest(nowMs: number): void {
    clearTimeout(timer);
    let nextMs = due.firstMs;
    for (const { pausedUntilMs } of ready) if (pausedUntilMs > nowMs) nextMs = Math.min(nextMs, pausedUntilMs);
    if (nextMs === Number.POSITIVE_INFINITY) return;
    timer = setTimeout(wake, Math.min(Math.max(nextMs - nowMs, 0), LOOK_MS)).unref();
  }

  async function idle(): Promise<void> {
    wake();
    if (active > 0) await new Promise<void>((done) => waitingForIdle.push(done));
  }

  return {
    add(entry) {
      const lane = laneOf(entry);
      const isAlone = lane.head === undefined;
      insertLast(lane, entry);
      if (isAlone) wait(lane);
    },
    hurry(entry) {
      const lane = laneOf(entry);
      if (!entry.isQueued) insertFirst(lane, entry);
      // The user wants to see now whether it goes through.
      lane.isUrgent = true;
      lane.target.pausedUntilMs = 0;
      if (lane.at === 'due' && lane.head === entry) wait(lane);
      else if (lane.at === 'ready') line(lane, URGENT);
    },
    wake,
    idle,
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return idle();
    },
  };
}
