// Why something could not be sent, or its answer not be had.

export type OutboundReason = 'private_address' | 'timeout' | 'unreachable' | 'too_large' | 'bad_url';

export class OutboundError extends Error {
  readonly reason: OutboundReason;
  /** The answer's, where one began: of `too_large`, sometimes of `timeout` and `unreachable`. */
  readonly status: number | undefined;

  constructor(reason: OutboundReason, message: string, options: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OutboundError';
    this.reason = reason;
    this.status = options.status;
  }
}
