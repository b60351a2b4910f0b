// How long the event loop works in one turn. Counts the thread's own processor time, because other processes may hold
// the processor for any time; includes V8's collections.

/** The processor time, in milliseconds, of the longest turn of the event loop while `work` runs. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isDone = false;
  let before = process.threadCpuUsage();
  function look(): void {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.threadCpuUsage();
    if (!isDone) setImmediate(look);
  }
  setImmediate(look);
  await work();
  isDone = true;
  look(); // the turn in which the work ended counts as well
  return longestMs;
}

/**
 * The smallest of three such figures: a step that is too long is too long each time, while a collection happens at
 * random.
 */
export async function leastLongestTurn(work: () => Promise<unknown>): Promise<number> {
  const figures: number[] = [];
  for (let i = 0; i < 3; i++) figures.push(await longestTurn(work));
  return Math.min(...figures);
}
