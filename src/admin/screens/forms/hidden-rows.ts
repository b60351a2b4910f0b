// Rows of a list that are not shown, though the service still has them: what was deleted stands until its message with
// the way back has gone. Pure.

/** Index in the service's list of the row that one sees at `at`. `hidden` are indexes in that list, ascending. */
export function toRealIndex(at: number, hidden: readonly number[]): number {
  let real = at;
  for (const one of hidden) if (one <= real) real += 1;
  return real;
}

/** The other way round. */
export function toSeenIndex(real: number, hidden: readonly number[]): number {
  return real - hidden.filter((one) => one < real).length;
}
