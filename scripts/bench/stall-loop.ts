// Loaded into the measured service (`--import`): the longest time that its event loop was held since the last question,
// by the clock and by the time its thread worked, which a busy machine does not lengthen.
const EVERY_MS = 2;

/** Milliseconds. */
export interface Held {
  wallMs: number;
  workedMs: number;
}

let held: Held = { wallMs: 0, workedMs: 0 };
let lastAt = performance.now();
let lastWorked = worked();

function worked(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

if (process.send) {
  setInterval(() => {
    const now = performance.now();
    const total = worked();
    const wallMs = now - lastAt;
    if (wallMs > held.wallMs) held.wallMs = wallMs;
    held.workedMs = Math.max(held.workedMs, Math.min(wallMs, total - lastWorked));
    lastAt = now;
    lastWorked = total;
  }, EVERY_MS);
  process.on('message', () => {
    process.send!(held);
    held = { wallMs: 0, workedMs: 0 };
  });
}
