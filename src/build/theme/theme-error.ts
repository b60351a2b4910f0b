// What is wrong with a theme, with its place: a build that meets one leaves the old output as it is.

interface ThemeErrorDetails {
  line?: number;
  column?: number;
  isLate?: boolean;
  cause?: unknown;
}

export class ThemeError extends Error {
  override name = 'ThemeError';
  /** Path in the theme: `layouts/default.liquid`. */
  readonly file: string;
  /** From 1; 0 if the whole file is meant. */
  readonly line: number;
  readonly column: number;
  /** What is wrong, without the place. */
  readonly reason: string;
  /** Whether the page took longer than a page may, which may be due to the document that it shows. */
  readonly isLate: boolean;

  constructor(file: string, reason: string, more: ThemeErrorDetails = {}) {
    const { line = 0, column = 0, isLate = false, cause } = more;
    super(`${file}${line ? `:${line}:${column}` : ''}: ${reason}`, cause === undefined ? undefined : { cause });
    this.file = file;
    this.line = line;
    this.column = column;
    this.reason = reason;
    this.isLate = isLate;
  }
}
