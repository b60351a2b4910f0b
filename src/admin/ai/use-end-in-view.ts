import type { Ref } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Near enough to the end to be led along. */
const NEAR_PX = 80;

/** Keeps the end of a log in view while it grows, unless its reader has scrolled up. */
export function useEndInView(): Ref<HTMLDivElement> {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const log = element.current;
    if (!log) return undefined;
    let isAtEnd = true;
    let top = 0;
    const onScroll = (): void => {
      // The log may have grown again by the time that a scroll is reported; only its reader scrolls up.
      if (log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_PX) isAtEnd = true;
      else if (log.scrollTop < top) isAtEnd = false;
      top = log.scrollTop;
    };
    let frame: number | undefined;
    const lead = (): void => {
      frame = undefined;
      if (isAtEnd) log.scrollTop = log.scrollHeight;
    };
    lead();
    log.addEventListener('scroll', onScroll, { passive: true });
    // Once a frame: it makes the browser lay the whole log out, and pieces of text come by the hundred.
    const growth = new MutationObserver(() => {
      frame ??= requestAnimationFrame(lead);
    });
    growth.observe(log, { childList: true, subtree: true, characterData: true });
    return () => {
      log.removeEventListener('scroll', onScroll);
      growth.disconnect();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  }, []);
  return element;
}
