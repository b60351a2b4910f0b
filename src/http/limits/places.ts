// Places for answers that go on for as long as the client likes: a number for each caller, and one for all callers.
import { ServiceError } from '../../lib/errors.ts';

export interface PlaceLimits {
  perCaller: number;
  all: number;
}

/** Limits of decisions.md, section 12. */
export const EVENT_STREAMS: PlaceLimits = { perCaller: 20, all: 500 };

/** Reserves a place and returns the function that releases it, which may be called twice. @throws ServiceError 429. */
export type TakePlace = (caller: string) => () => void;

export function createPlaces({ perCaller, all }: PlaceLimits): TakePlace {
  const taken = new Map<string, number>();
  let total = 0;

  return (caller) => {
    const own = taken.get(caller) ?? 0;
    if (own >= perCaller) throw tooMany(`at most ${perCaller} event streams are open at once; close one of yours`);
    if (total >= all) throw tooMany(`at most ${all} event streams are open at once; try again in a moment`);
    taken.set(caller, own + 1);
    total++;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      total--;
      const left = taken.get(caller)! - 1;
      if (left > 0) taken.set(caller, left);
      else taken.delete(caller);
    };
  };
}

function tooMany(message: string): ServiceError {
  return new ServiceError('too_many_requests', message, { headers: { 'Retry-After': '10' } });
}
