// Bars that stay on the screen while it scrolls. Their heights are properties of the page, so that its `scroll-padding`
// (styles/document.css) keeps what one writes, or what has the focus, from being behind them.
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Keeps the height of a bar in a custom property of the page while the bar is there. */
export function useBarSize(bar: RefObject<HTMLElement | null>, property: `--${string}`): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const observer = new ResizeObserver(([entry]) => {
      style.setProperty(property, `${Math.ceil(entry?.borderBoxSize[0]?.blockSize ?? 0)}px`);
    });
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.removeProperty(property);
    };
  }, []);
}

/** Pixels at the edges of the window that are to stay free of the cursor, for editors that scroll by themselves. */
export const KEPT_FREE = {
  left: 5,
  right: 5,
  get top(): number {
    return paddingOf('scrollPaddingTop');
  },
  get bottom(): number {
    return paddingOf('scrollPaddingBottom');
  },
};

function paddingOf(side: 'scrollPaddingTop' | 'scrollPaddingBottom'): number {
  return Number.parseFloat(getComputedStyle(document.documentElement)[side]) || 0;
}
