// How many requests an anonymous address may make. One number per address and no timers: the generic cell rate
// algorithm (ITU-T I.371), which allows exactly what a token bucket does.
import { addressKey } from '../../lib/address-key.ts';
import { ServiceError } from '../../lib/errors.ts';

export interface RateLimit {
  /** Counts a request. @throws ServiceError 429. */
  charge(address: string): void;
  /** Undoes the count of a request that turned out to cost nothing. */
  refund(address: string): void;
}

export interface RateLimitOptions {
  /** 0 disables the limit. */
  perMinute: number;
  /** Requests that may come at once; a sixth of a minute's if absent. */
  burst?: number;
  /** A monotonic clock in milliseconds. */
  clock?: () => number;
  /** Addresses in each of two maps; beyond twice as many, the oldest are forgotten. */
  maxAddresses?: number;
}

/** The burst is this share of a minute's requests (decisions.md, section 12). */
const BURST_SHARE = 6;
const MAX_ADDRESSES = 50_000;

export function createRateLimit({
  perMinute,
  burst = Math.max(1, Math.floor(perMinute / BURST_SHARE)),
  clock = () => performance.now(),
  maxAddresses = MAX_ADDRESSES,
}: RateLimitOptions): RateLimit {
  if (perMinute === 0) return { charge: () => undefined, refund: () => undefined };
  const spacingMs = 60_000 / perMinute;
  const burstMs = burst * spacingMs;
  /**
   * When each address has its whole burst again. An entry that has not changed for that long says nothing, so the older
   * of two maps is dropped each time: no timer, no search, and a bound.
   */
  let recent = new Map<string, number>();
  let older = new Map<string, number>();
  let turnedAt = clock();

  function turn(now: number): void {
    older = recent;
    recent = new Map();
    turnedAt = now;
  }

  function fullAt(key: string, now: number): number {
    return Math.max(now, recent.get(key) ?? older.get(key) ?? now);
  }

  return {
    charge(address) {
      const now = clock();
      if (now - turnedAt >= burstMs || recent.size >= maxAddresses) turn(now);
      const key = addressKey(address);
      const full = fullAt(key, now);
      const waitMs = full + spacingMs - now - burstMs;
      // Half a millionth of tolerance: sums of spacings are not exact.
      if (waitMs > 1e-6) throw tooMany(burst, perMinute, waitMs, full - now);
      recent.set(key, full + spacingMs);
    },
    refund(address) {
      const now = clock();
      const key = addressKey(address);
      recent.set(key, fullAt(key, now) - spacingMs);
    },
  };
}

/**
 * Headers of draft-ietf-httpapi-ratelimit-headers-06: the window is the time until the whole burst is available again.
 */
function tooMany(burst: number, perMinute: number, waitMs: number, fullInMs: number): ServiceError {
  return new ServiceError('too_many_requests', 'too many requests from this address; sign in, or slow down', {
    headers: {
      'Retry-After': toSeconds(waitMs),
      'RateLimit-Limit': String(burst),
      'RateLimit-Remaining': '0',
      'RateLimit-Reset': toSeconds(fullInMs),
      'RateLimit-Policy': `${burst};w=${toSeconds((60_000 * burst) / perMinute)}`,
    },
  });
}

function toSeconds(ms: number): string {
  return String(Math.max(1, Math.ceil(ms / 1000)));
}
