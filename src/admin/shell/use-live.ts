import { useEffect, useRef } from 'preact/hooks';
import { useAdmin } from './admin.ts';

const PAUSE_MS = 600;

/** Calls back soon after an event of these names, and at most so often, because events come in crowds. */
export function useLive(events: readonly string[], onEvent: () => void): void {
  const { live } = useAdmin();
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = live.listen(({ event }) => {
      if (!events.includes(event)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        latest.current();
      }, PAUSE_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
}
