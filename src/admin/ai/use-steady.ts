import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** How much longer than drawing takes the rest of the page has to itself. */
const SHARE = 8;

/** A text that grows piece by piece, no oftener than drawing it leaves time for; the last piece always comes. */
export function useSteady(text: string): string {
  const [shown, setShown] = useState(text);
  const latest = useRef(text);
  latest.current = text;
  const pauseMs = useRef(0);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const beganMs = performance.now();
  useLayoutEffect(() => {
    pauseMs.current = SHARE * (performance.now() - beganMs);
  }, [shown]);
  useEffect(() => {
    if (text === shown || waiting.current !== undefined) return;
    waiting.current = setTimeout(() => {
      waiting.current = undefined;
      setShown(latest.current);
    }, pauseMs.current);
  }, [text]);
  useEffect(() => () => clearTimeout(waiting.current), []);
  return shown;
}
