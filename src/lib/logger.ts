/** The process log as a part of the service needs it: a line is a sentence, with details as JSON. */
export interface Logger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
