// Counting tokens: sums, costs, and estimates for answers whose provider reports none or that broke off. An estimate is
// rather too high, because budgets rely on it.
import type { TokenUse } from './ai.ts';

export const NO_TOKENS: TokenUse = { inputTokens: 0, outputTokens: 0 };

export function addUse(a: TokenUse, b: TokenUse): TokenUse {
  return { inputTokens: a.inputTokens + b.inputTokens, outputTokens: a.outputTokens + b.outputTokens };
}

/** A token has about four bytes in English, and about three in most other languages. */
const BYTES_PER_TOKEN = 3;

export function estimateTokens(sizeBytes: number): number {
  return Math.ceil(sizeBytes / BYTES_PER_TOKEN);
}

export function costOf(
  { inputTokens, outputTokens }: TokenUse,
  price: { inputPerMillion: number; outputPerMillion: number } | undefined,
): number | null {
  if (!price) return null;
  return (inputTokens * price.inputPerMillion + outputTokens * price.outputPerMillion) / 1_000_000;
}
