// Parts a field's own value, as it comes back from the one who holds it, from a value that another user made. Pure.

export interface Echo {
  /** The value that was heard or said last. */
  current: unknown;
  say(value: unknown): void;
  /** Whether a value that has arrived is other than what was said; it is the current one then. */
  isNews(value: unknown): boolean;
}

export function createEcho(first: unknown): Echo {
  /** Said, and not heard yet: they come back in this order, and some of them never. */
  let waiting: unknown[] = [];
  const echo: Echo = {
    current: first,
    say(value) {
      echo.current = value;
      waiting.push(value);
    },
    isNews(value) {
      if (value === echo.current) {
        waiting = [];
        return false;
      }
      const at = waiting.indexOf(value);
      if (at >= 0) {
        waiting = waiting.slice(at + 1);
        return false;
      }
      waiting = [];
      echo.current = value;
      return true;
    },
  };
  return echo;
}
