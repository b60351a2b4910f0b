// Keeps the journal from growing for ever: rewrites it when most of its lines are no longer needed, or it is in doubt.
import { encodeState } from './entry.ts';
import type { Journal } from './journal.ts';
import type { LIMITS } from './limits.ts';
import type { Stock } from './stock.ts';

export interface UpkeepParts {
  journal: Journal;
  stock: Stock;
  /** The lines that follow those of the entries. */
  markLines(): Buffer[];
  limits: typeof LIMITS;
  elapsedMs(): number;
  warn(message: string, error?: unknown): void;
}

export interface Upkeep {
  /** Starts a rewrite if it is due. */
  tidy(): void;
  rewrite(): Promise<void>;
  /** Resolves when no rewrite is under way. */
  idle(): Promise<void>;
  /** From now on `tidy` starts no rewrite. */
  stop(): void;
  /** Resolves when the rewrite under way has ended. */
  settled(): Promise<void>;
}

const REWRITE_RETRY_MS = 5000;

export function createUpkeep({ journal, stock, markLines, limits, elapsedMs, warn }: UpkeepParts): Upkeep {
  let rewriting: Promise<void> | undefined;
  /** Something changed during the rewrite. */
  let mustLookAgain = false;
  let nextRewriteMs = Number.NEGATIVE_INFINITY;
  let isStopped = false;

  function tidy(): void {
    mustLookAgain = rewriting !== undefined;
    if (isStopped || rewriting || elapsedMs() < nextRewriteMs) return;
    if (!journal.isDoubtful && journal.sizeBytes < 2 * stock.sizeBytes + limits.slackBytes) return;
    rewrite().catch((error) => {
      nextRewriteMs = elapsedMs() + REWRITE_RETRY_MS;
      warn("the outbox's journal could not be rewritten; it retries", error);
    });
  }

  function rewrite(): Promise<void> {
    rewriting ??= journal
      .rewrite(() => {
        const kept = [...stock.all()].sort((a, b) => a.place.offset - b.place.offset);
        return {
          keep: kept.map((entry) => ({ place: entry.place, followedBy: () => encodeState(entry) })),
          last: markLines,
          moved(places) {
            for (const [i, entry] of kept.entries()) entry.place = places[i]!;
          },
        };
      })
      .finally(() => (rewriting = undefined))
      // Only if something changed: a journal that cannot get smaller is not rewritten for ever.
      .then(() => {
        if (mustLookAgain) tidy();
      });
    return rewriting;
  }

  return {
    tidy,
    rewrite,
    async idle() {
      while (rewriting) await rewriting.catch(() => undefined); // reported where it was started
    },
    stop: () => void (isStopped = true),
    async settled() {
      await rewriting?.catch(() => undefined); // reported where it was started
    },
  };
}
