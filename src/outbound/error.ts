// Why a request could not be sent, or its answer not be received.

export type OutboundReason = 'private_address' | 'timeout' | 'unreachable' | 'too_large' | 'bad_url';

export class OutboundError extends Error {
  readonly reason: OutboundReason;
  /** The answer's status, if one began: with `too_large`, sometimes with `timeout` and `unreachable`. */
  readonly status: number | undefined;

  constructor(reason: OutboundReason, message: string, options: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'OutboundError';
    this.reason = reason;
    this.status = options.status;
  }
}
