// One try to deliver an entry, and what becomes of the entry then: it is over, or tried again later.
import type { Entry } from './entry.ts';
import type { Deliver, Delivered } from './outbox.ts';
import { noteState, type OutboxState, reportOver } from './outbox-state.ts';
import { isReached, retryAfterMs } from './retry.ts';

export interface AttemptParts {
  state: OutboxState;
  /** By topic. */
  deliverers: ReadonlyMap<string, Deliver>;
  /** Aborted when what is under way has had its time. */
  ending: AbortSignal;
}

const MAX_ERROR_CHARACTERS = 500;

/** Never throws. */
export async function attempt(parts: AttemptParts, entry: Entry): Promise<'reached' | 'unreached'> {
  const { state, ending } = parts;
  const { schedule, chance, limits, nowMs, elapsedMs } = state;
  const startedMs = nowMs();
  const result = await deliver(parts, entry);
  // Stopped in the middle by our own end: it counts as nothing, and the next start does it.
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
  return isReached(result) ? 'reached' : 'unreached';
}

async function deliver({ state, deliverers, ending }: AttemptParts, entry: Entry): Promise<Delivered> {
  const { id, topic, key, target, about, createdMs, attempts } = entry;
  const startedAt = performance.now();
  try {
    const payload = await state.journal.read(entry.place);
    const told = { id, topic, key, target, about, createdAt: new Date(createdMs), attempts, payload };
    return await deliverers.get(topic)!(told, ending);
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
