// How long a request waits before it is sent again. Pure: request.ts sends and waits.

/** Once, and this often again. */
export const MAX_RETRIES = 5;
/** A host that asks for a longer wait is not waited for: the deploy fails and says when to try again. */
export const MAX_WAIT_MS = 5 * 60_000;
const MAX_BACKOFF_MS = 30_000;
/** A wait as a clock's reset time asks for it ends a little later: clocks differ. */
const CLOCK_SKEW_MS = 1000;

const TEMPORARY = new Set([408, 425, 429]);
/** Nothing was sent yet, so that any request may be sent again. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'CONNECT_TIMEOUT']);
/** The host says that it did nothing, so that any request may be sent again. */
const REFUSED_UNREAD = new Set([425, 429]);

/** True if the same request may have another answer later. */
export function isTemporary(status: number): boolean {
  return TEMPORARY.has(status) || status >= 500;
}

/** True if the host cannot have acted on the request. */
export function isUnread(failure: { status: number } | { code: string | undefined }): boolean {
  if ('status' in failure) return REFUSED_UNREAD.has(failure.status);
  return failure.code !== undefined && NEVER_CONNECTED.has(failure.code);
}

/** True if the answer means too many requests: 429, or the 403 with which GitHub says the same. */
export function isRateLimit(status: number, headers: Headers): boolean {
  if (status === 429) return true;
  return status === 403 && (headers.has('retry-after') || headers.get('x-ratelimit-remaining') === '0');
}

/**
 * The wait that an answer asks for, in milliseconds, never negative: `Retry-After` in seconds or as a date (RFC 9110,
 * section 10.2.3), otherwise the reset time of an exhausted rate limit in unix seconds. Undefined if it asks for none.
 */
export function askedWaitMs(headers: Headers, now: Date): number | undefined {
  const retryAfter = headers.get('retry-after')?.trim();
  if (retryAfter) {
    if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000;
    const at = Date.parse(retryAfter);
    if (!Number.isNaN(at)) return Math.max(0, at - now.getTime());
  }
  const isUsedUp = headers.get('x-ratelimit-remaining')?.trim() === '0';
  const reset = headers.get('x-ratelimit-reset')?.trim() ?? '';
  if (!isUsedUp || !/^\d+$/.test(reset)) return undefined;
  return Math.max(0, Number(reset) * 1000 - now.getTime()) + CLOCK_SKEW_MS;
}

/**
 * 1, 2, 4, 8 ... seconds before the first, second ... retry, each up to a quarter longer by `spread` (0 to 1), so that
 * requests that failed together do not come back together.
 */
export function backoffMs(retry: number, spread: number): number {
  const baseMs = Math.min(1000 * 2 ** (retry - 1), MAX_BACKOFF_MS);
  return Math.round(baseMs * (1 + spread / 4));
}
