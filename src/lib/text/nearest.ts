// "Did you mean": the known word at the fewest edits (a swap of neighbours counts as one), ignoring case.

const MAX_CHARS = 100;

/** How many edits count as a typing slip: one in three letters of the longer word, and never all of them. */
function isNear(word: string, candidate: string, distance: number): boolean {
  const length = Math.max(word.length, candidate.length);
  return distance < length && distance <= Math.max(1, Math.floor(length / 3));
}

/** The nearest of the words; undefined if no word is near enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  const given = word.slice(0, MAX_CHARS).toLowerCase();
  for (const candidate of known) {
    const distance = editDistance(given, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best !== undefined && isNear(given, best, bestDistance) ? best : undefined;
}

/** The hint that ends a message: `, did you mean "x"?`, or nothing if no word is near enough. */
export function didYouMean(word: string, known: readonly string[]): string {
  const candidate = nearest(word, known);
  return candidate === undefined ? '' : `, did you mean "${candidate}"?`;
}

function editDistance(from: string, to: string): number {
  let previous: number[] = [];
  let current = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const beforePrevious = previous;
    previous = current;
    current = [i];
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1];
      let cost = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) cost = Math.min(cost, beforePrevious[j - 2]! + 1);
      current[j] = cost;
    }
  }
  return current[to.length]!;
}
