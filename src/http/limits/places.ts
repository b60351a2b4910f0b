// Places for answers that go on for as long as the client likes: a number for each caller, and one for all callers.
import { ServiceError } from '../../lib/errors.ts';

export interface PlaceLimits {
  perCaller: number;
  all: number;
}

/** Limits of decisions.md, section 12. */
export const EVENT_STREAMS: PlaceLimits = { perCaller: 20, all: 500 };

/** Reserves a place and returns the function that releases it, which may be called twice. @throws ServiceError 429. */
export type ReservePlace = (caller: string) => () => void;

export function createPlaces({ perCaller, all }: PlaceLimits): ReservePlace {
  const held = new Map<string, number>();
  let total = 0;

  return (caller) => {
    const own = held.get(caller) ?? 0;
    if (own >= perCaller) throw tooMany(`at most ${perCaller} event streams are open at once; close one of yours`);
    if (total >= all) throw tooMany(`at most ${all} event streams are open at once; try again in a moment`);
    held.set(caller, own + 1);
    total++;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      total--;
      const left = held.get(caller)! - 1;
      if (left > 0) held.set(caller, left);
      else held.delete(caller);
    };
  };
}

function tooMany(message: string): ServiceError {
  return new ServiceError('too_many_requests', message, { headers: { 'Retry-After': '10' } });
}
