// Detects a disk that does not answer: a sync that does not return is not an error, and its callers would wait just as
// long. After some seconds new work is refused, and after some more the waiting callers get `outcome_unknown`. Work
// under way continues, and counts once the disk answers again.
import { ServiceError } from '../../lib/errors.ts';
import type { Warn } from '../../lib/warn.ts';

export interface DiskWatch {
  /**
   * Watches work that waits for the disk. Settles as the work does, however long it takes; the warning about stuck work
   * names it as `what`.
   */
  watch<T>(work: Promise<T>, what: string): Promise<T>;
  /**
   * Runs work that may have to wait for the disk. Rejects at once if the disk does not answer already, and later if it
   * stays silent for long; the work itself continues then. @throws ServiceError `unavailable` if nothing was begun,
   * `outcome_unknown` otherwise
   */
  inTime<T>(run: () => Promise<T>): Promise<T>;
  /** Why new work is refused, if it is. */
  readonly refusal: ServiceError | undefined;
  /**
   * Registers `probe`, which begins watched work. It runs when a caller waits for long and no watched work explains it.
   */
  onDoubt(probe: () => void): void;
}

export interface DiskWatchOptions {
  /** After this time work counts as stuck. */
  stuckMs?: number;
  /** After this time waiting callers get `outcome_unknown`: sooner than the minute after which proxies give up. */
  lateMs?: number;
  warn: Warn;
  info(message: string): void;
}

const STUCK_MS = 5000;
const LATE_MS = 12_000;
/** A blocked event loop does not notice that the disk has answered, so at most one step of that time counts. */
const STEPS = 5;

export function createDiskWatch({ stuckMs = STUCK_MS, lateMs = LATE_MS, warn, info }: DiskWatchOptions): DiskWatch {
  /** Stuck work, with the time when it began. */
  const stuck = new Map<object, number>();
  const waiting = new Set<(error: ServiceError) => void>();
  const probes: (() => void)[] = [];

  function oldestMs(): number {
    return Math.round(performance.now() - Math.min(...stuck.values()));
  }

  function countsAsStuck(work: object, startedAt: number, what: string): void {
    if (stuck.size === 0) warn(`the disk does not answer (${what}): writes are refused until it does, reads continue`);
    stuck.set(work, startedAt);
  }

  function notifyAll(): void {
    for (const reject of waiting) reject(outcomeUnknown());
  }

  async function watch<T>(work: Promise<T>, what: string): Promise<T> {
    const startedAt = performance.now();
    let cancel = afterTurns(stuckMs, () => {
      countsAsStuck(work, startedAt, what);
      cancel = afterTurns(lateMs - stuckMs, notifyAll);
    });
    try {
      return await work;
    } finally {
      cancel();
      const stuckMs = stuck.size === 1 ? oldestMs() : 0;
      if (stuck.delete(work) && stuck.size === 0)
        info(`the disk answers again, after ${(stuckMs / 1000).toFixed(1)} s`);
    }
  }

  async function inTime<T>(run: () => Promise<T>): Promise<T> {
    if (stuck.size > 0) throw notBegun();
    let reject = (_error: ServiceError): void => undefined;
    const late = new Promise<never>((_, refuse) => (reject = refuse));
    waiting.add(reject);
    const doubt = setTimeout(() => probes.forEach((probe) => probe()), stuckMs);
    doubt.unref();
    try {
      return await Promise.race([run(), late]);
    } finally {
      clearTimeout(doubt);
      waiting.delete(reject);
    }
  }

  function notBegun(): ServiceError {
    const message = `the disk has not answered for ${Math.round(oldestMs() / 1000)} s; nothing was stored, try again later`;
    return new ServiceError('unavailable', message, { headers: { 'Retry-After': '5' } });
  }

  return {
    watch,
    inTime,
    get refusal() {
      return stuck.size > 0 ? notBegun() : undefined;
    },
    onDoubt: (probe) => void probes.push(probe),
  };
}

/** Calls `run` after `ms` in which the event loop was not blocked. Returns the function that cancels it. */
function afterTurns(ms: number, run: () => void): () => void {
  let timer: NodeJS.Timeout;
  const step = (left: number): void => {
    timer = setTimeout(() => (left === 1 ? run() : step(left - 1)), ms / STEPS);
    timer.unref();
  };
  step(STEPS);
  return () => clearTimeout(timer);
}

function outcomeUnknown(): ServiceError {
  return new ServiceError(
    'outcome_unknown',
    'the disk does not answer: what was asked for may or may not have been stored. Look before you send it again, or ' +
      'send it with the same Idempotency-Key or If-Match',
    { headers: { 'Retry-After': '5' } },
  );
}
