// Why a host did not do what it was asked, in words for people: what failed, and what to do about it.

export type HostReason =
  | 'refused_token'
  | 'not_found'
  | 'conflict'
  | 'refused_input'
  | 'rate_limited'
  | 'host_failed'
  | 'unreachable'
  | 'timeout';

export class HostError extends Error {
  override name = 'HostError';
  readonly reason: HostReason;
  /** Status of the answer, if there was one. */
  readonly status: number | undefined;
  /** The host's own code of the error, if it gave one. */
  readonly code: string | undefined;
  /** When the host says that another attempt may succeed. */
  readonly retryAfterMs: number | undefined;

  constructor(
    reason: HostReason,
    message: string,
    options: {
      status?: number | undefined;
      code?: string | undefined;
      retryAfterMs?: number | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.status = options.status;
    this.code = options.code;
    this.retryAfterMs = options.retryAfterMs;
  }
}
