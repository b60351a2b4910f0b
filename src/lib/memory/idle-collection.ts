// Collects a thread's garbage once the thread is idle. V8 collects when memory is allocated; a thread that has finished
// its work allocates none, and would keep its garbage for good.
import { getHeapStatistics } from 'node:v8';

const LOOK_MS = 5000;
/** Share of the time between two checks in which the event loop was active. */
const IDLE = 0.05;
/**
 * The thread must have worked this many times as long as the last collection took, so that collecting stays a small
 * part of its work.
 */
const WORTH = 10;
const LEAST_COST_MS = 20;
/** Smaller gains are left to V8's own collections. */
const LEAST_GAIN_BYTES = 4 << 20;

/** Collects nothing in a process that was started without `--expose-gc` (src/cli/lean.ts). */
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
    if (utilization > IDLE || workedMs < costMs * WORTH || allocatedBytes() - liveBytes < LEAST_GAIN_BYTES) return;
    const started = performance.now();
    // Only a last-resort collection returns empty pages to the system.
    gc!({ type: 'major', execution: 'sync', flavor: 'last-resort' });
    costMs = Math.max(LEAST_COST_MS, performance.now() - started);
    liveBytes = allocatedBytes();
    workedMs = 0;
    seen = performance.eventLoopUtilization();
  }
  setInterval(look, LOOK_MS).unref();
}

function allocatedBytes(): number {
  const { total_physical_size: heap, external_memory: outside } = getHeapStatistics();
  return heap + outside;
}
