import { useEffect, useState } from 'preact/hooks';

/** What one came for has this long to be asked for and drawn. */
const FIRST_MS = 300;
/** A page that is busy all the time gets the rest after so long. */
const LATEST_MS = 2000;

/** Calls once what one came for is there and the browser has time; returns how to call that off. */
export function whenIdle(run: () => void): () => void {
  let idle: number | undefined;
  const timer = setTimeout(() => {
    // Safari does not have it.
    if (typeof requestIdleCallback === 'undefined') run();
    else idle = requestIdleCallback(run, { timeout: LATEST_MS });
  }, FIRST_MS);
  return () => {
    clearTimeout(timer);
    if (idle !== undefined) cancelIdleCallback(idle);
  };
}

/** False while the screen is being made. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}
