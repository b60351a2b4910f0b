// Notices a disk that does not answer: a sync that does not return is no error, and whoever waits for it would wait for as
// long. After some seconds nothing new is begun, after some more those who wait are told that the outcome is unknown. What
// is under way stays under way, and counts once the disk is back.
import { ServiceError } from '../../lib/errors.ts';
import type { Warn } from '../../lib/warn.ts';

export interface DiskWatch {
  /**
   * Watches work that ends when the disk has something: resolves and rejects as that does, however long it takes. `what` is
   * told if it is stuck.
   */
  watch<T>(work: Promise<T>, what: string): Promise<T>;
  /**
   * Runs what may have to wait for the disk. Rejects at once while the disk does not answer, and later if it has not
   * answered for long; the work goes on then. @throws ServiceError `unavailable` if nothing was begun, `outcome_unknown`
   */
  inTime<T>(run: () => Promise<T>): Promise<T>;
  /** Why nothing new is begun. */
  readonly refusal: ServiceError | undefined;
  /** `probe` begins watched work, for when somebody waits and nobody knows for what. */
  onDoubt(probe: () => void): void;
}

export interface DiskWatchOptions {
  /** After which work counts as stuck. */
  stuckMs?: number;
  /** After which whoever waits is told, less than the minute after which proxies do so themselves. */
  lateMs?: number;
  warn: Warn;
  info(message: string): void;
}

const STUCK_MS = 5000;
const LATE_MS = 12_000;
/** A loop that is held up hears of nothing that the disk has done: of that time at most one step counts. */
const STEPS = 5;

export function createDiskWatch({ stuckMs = STUCK_MS, lateMs = LATE_MS, warn, info }: DiskWatchOptions): DiskWatch {
  /** Work that the disk does not finish, and when that began. */
  const stuck = new Map<object, number>();
  const waiting = new Set<(error: ServiceError) => void>();
  const probes: (() => void)[] = [];

  function oldestMs(): number {
    return Math.round(performance.now() - Math.min(...stuck.values()));
  }

  function countsAsStuck(work: object, startedAt: number, what: string): void {
    if (stuck.size === 0) warn(`the disk does not answer (${what}): writes are refused until it does, reads go on`);
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

/** Runs it once so much time has gone by in which the event loop had its turns. Returns what calls that off. */
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
