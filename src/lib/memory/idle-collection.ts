// Collects a thread's garbage once it has nothing else to do. V8 collects when memory is asked for; a thread that has
// done its work asks for none, and would keep what the work left behind for good.
import { getHeapStatistics } from 'node:v8';

const LOOK_MS = 5000;
/** Share of the time between two looks in which the event loop did something. */
const IDLE = 0.05;
/** It has worked this many times as long as the last collection took: collecting stays a small part of what it does. */
const WORTH = 10;
const LEAST_COST_MS = 20;
/** Less than this is left for V8 to collect in its own time. */
const LEAST_GAIN_BYTES = 4 << 20;

/** Nothing is collected in a process that was started without `--expose-gc` (src/cli/lean.ts). */
export function collectWhenIdle(): void {
  const { gc } = globalThis;
  if (!gc) return;
  let seen = performance.eventLoopUtilization();
  let workedMs = 0;
  let costMs = LEAST_COST_MS;
  let liveBytes = 0;
  function look(): void {
    const { active, utilization } = performance.eventLoopUtilization(seen);
    seen = performance.eventLoopUtilization();
    workedMs += active;
    if (utilization > IDLE || workedMs < costMs * WORTH || takenBytes() - liveBytes < LEAST_GAIN_BYTES) return;
    const started = performance.now();
    // Only a last resort gives the pages back to the system that have become empty.
    gc!({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    costMs = Math.max(LEAST_COST_MS, performance.now() - started);
    liveBytes = takenBytes();
    workedMs = 0;
    seen = performance.eventLoopUtilization();
  }
  setInterval(look, LOOK_MS).unref();
}

function takenBytes(): number {
  const { total_physical_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}
