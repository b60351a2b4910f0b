// What is wrong with a theme, with its place: a build that meets one leaves the old output as it is.

export class ThemeError extends Error {
  override name = 'ThemeError';
  /** Path in the theme: `layouts/default.liquid`. */
  readonly file: string;
  /** From 1; 0 if the whole file is meant. */
  readonly line: number;
  readonly column: number;
  /** What is wrong, without the place. */
  readonly reason: string;

  constructor(file: string, reason: string, place: { line?: number; column?: number; cause?: unknown } = {}) {
    const { line = 0, column = 0, cause } = place;
    super(`${file}${line ? `:${line}:${column}` : ''}: ${reason}`, cause === undefined ? undefined : { cause });
    this.file = file;
    this.line = line;
    this.column = column;
    this.reason = reason;
  }
}
