// How many screens the page has shown. The browser itself places the focus on the first one.
let count = 0;

/** Counts one more, and returns how many there are: 1 for the first screen of the page. */
export function beginScreen(): number {
  count += 1;
  return count;
}
