/** What a part needs of the process's log: a line is a sentence, with details as JSON beside it. */
export interface Logger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
