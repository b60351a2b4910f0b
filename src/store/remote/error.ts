// What a remote failed to do, in a sentence for an administrator. It crosses a thread, so it carries only texts.

/**
 * `changed`: another push was faster, look again. `refused`: the host refused, and will refuse again until an
 * administrator changes something. `failed`: anything else, worth another try.
 */
export type RemoteFailure = 'changed' | 'refused' | 'failed';

export class RemoteError extends Error {
  readonly failure: RemoteFailure;
  /** The message without what the host said, for hosts whose words are not shown. */
  readonly bare: string;

  constructor(failure: RemoteFailure, message: string, options: ErrorOptions & { said?: string } = {}) {
    super(message + (options.said ?? ''), options);
    this.name = 'RemoteError';
    this.failure = failure;
    this.bare = message;
  }
}

/** The start of what a host said, on one line and without control characters. */
export function quoteHost(text: string, length = 300): string {
  const line = text
    .replace(/<[^>]*>/g, ' ')
    .replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ')
    .trim();
  return line.length > length ? `${line.slice(0, length)}…` : line;
}
