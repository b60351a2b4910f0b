import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** While `isOpen`, calls `onLeave` when the pointer or the focus goes to something outside of the element. */
export function useLeave(root: RefObject<HTMLElement | null>, isOpen: boolean, onLeave: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const leave = (event: Event): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) onLeave();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('focusin', leave);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('focusin', leave);
    };
  }, [isOpen]);
}
