// Compares the time that a long text takes with that of ten short ones, which are as much in all.

/** Processor time of this thread alone, in milliseconds: the machine may be busy with other things. */
function spent(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

async function timeOf(work: () => unknown, times: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < times; n++) {
    const before = spent();
    await work();
    least = Math.min(least, spent() - before);
  }
  return least;
}

/** The large text is compared with ten small ones, which are as much in all: each other character with each would be 10. */
const MAX_RATIO = 4;
const SMALLS = 10;
/** Below this no request is held up, and nothing needs a comparison. */
const FLOOR_MS = 90;

/** A sentence if the large work takes longer than its size explains. */
export async function tooSlow(small: () => unknown, large: () => unknown): Promise<string | undefined> {
  let said = '';
  const smalls = async (): Promise<void> => {
    for (let n = 0; n < SMALLS; n++) await small();
  };
  for (let attempt = 1; attempt <= 5; attempt++) {
    const long = await timeOf(large, attempt);
    if (long < FLOOR_MS) return undefined;
    const short = await timeOf(smalls, attempt);
    if (long < short * MAX_RATIO) return undefined;
    said = `${SMALLS} times ${(short / SMALLS).toFixed(1)} ms become ${long.toFixed(0)} ms`;
  }
  return said;
}

export const SMALL_CHARS = 8_000;

export function textOf(unit: string, length: number): string {
  return unit.repeat(Math.ceil(length / unit.length));
}
