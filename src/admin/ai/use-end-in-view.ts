import type { Ref } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Near enough to the end to be led along. */
const NEAR_PX = 80;

/** Keeps the end of a log in view while it grows, unless its reader has scrolled up. */
export function useEndInView(changes: readonly unknown[]): Ref<HTMLDivElement> {
  const element = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const log = element.current;
    if (!log) return undefined;
    const onScroll = (): void => {
      isAtEnd.current = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_PX;
    };
    log.addEventListener('scroll', onScroll, { passive: true });
    return () => log.removeEventListener('scroll', onScroll);
  }, []);
  useLayoutEffect(() => {
    const log = element.current;
    if (log && isAtEnd.current) log.scrollTop = log.scrollHeight;
  }, changes);
  return element;
}
