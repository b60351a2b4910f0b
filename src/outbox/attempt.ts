// One attempt to deliver an entry, and its outcome: the entry is finished, or retried later.
import type { Entry } from './entry.ts';
import type { Deliver, Delivered } from './outbox.ts';
import { noteState, type OutboxState, reportOver } from './outbox-state.ts';
import { isReached, retryAfterMs } from './retry.ts';

export interface AttemptParts {
  state: OutboxState;
  /** By topic. */
  deliverers: ReadonlyMap<string, Deliver>;
  /** By topic: called after each attempt, once its outcome can be listed. */
  attempted: ReadonlyMap<string, (id: string) => void>;
  /** Aborted when deliveries under way have used up their grace period. */
  ending: AbortSignal;
}

const MAX_ERROR_CHARACTERS = 500;

/** Never throws. */
export async function attempt(parts: AttemptParts, entry: Entry): Promise<'reached' | 'unreached'> {
  const { state, ending } = parts;
  const { schedule, chance, limits, nowMs, elapsedMs } = state;
  const startedMs = nowMs();
  const result = await deliver(parts, entry);
  // Interrupted by our own shutdown: it does not count as an attempt, and the next start delivers it.
  if (ending.aborted && !result.ok) return 'reached';
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
  if (result.ok) finish(state, entry, 'delivered');
  else if (result.gone || againMs === undefined || elapsedMs() - entry.addedMs > limits.ageMs)
    finish(state, entry, 'failed', error);
  else {
    entry.error = error;
    entry.nextMs = nowMs() + againMs;
    entry.dueMs = elapsedMs() + againMs;
    noteState(state, entry);
  }
  state.upkeep.tidy();
  parts.attempted.get(entry.topic)?.(entry.id);
  return isReached(result) ? 'reached' : 'unreached';
}

async function deliver({ state, deliverers, ending }: AttemptParts, entry: Entry): Promise<Delivered> {
  const { id, topic, key, target, about, createdMs, attempts } = entry;
  const startedAt = performance.now();
  try {
    const payload = await state.journal.read(entry.place);
    const given = { id, topic, key, target, about, createdAt: new Date(createdMs), attempts, payload };
    return await deliverers.get(topic)!(given, ending);
  } catch (error) {
    const durationMs = Math.round(performance.now() - startedAt);
    return { ok: false, detail: error instanceof Error ? error.message : String(error), durationMs };
  }
}

function finish(state: OutboxState, entry: Entry, outcome: 'delivered' | 'failed', error?: string): void {
  entry.error = error;
  state.stock.finish(entry, outcome);
  noteState(state, entry);
  reportOver(state);
}
