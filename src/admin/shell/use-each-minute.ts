import { useEffect, useRef } from 'preact/hooks';

const MINUTE_MS = 60_000;

/** For what no event reports, such as what should have happened and did not. */
export function useEachMinute(act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
}
