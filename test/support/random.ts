// Repeatable randomness: tests print the seed they ran with and read it from SEED.

export interface Random {
  readonly seed: number;
  /** From 0 up to but not including 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
}

/** mulberry32: 32 bits of state, good enough to spread kills and choices. */
export function createRandom(seed = Number(process.env.SEED) || Date.now() % 1_000_000): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  return { seed, next, whole: (from, to) => from + Math.floor(next() * (to - from + 1)) };
}
