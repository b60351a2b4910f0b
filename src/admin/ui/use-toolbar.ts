// The keys of a toolbar (ARIA Authoring Practices, "Toolbar"): one stop of the Tab key, arrows, Home and End inside.
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** What is in an open menu has keys of its own. */
const CONTROLS = 'button:not(:disabled, [role^="menuitem"]), select:not(:disabled)';

export interface ToolbarKeys {
  ref: RefObject<HTMLDivElement | null>;
  onKeyDown(event: KeyboardEvent): void;
  onFocusIn(event: FocusEvent): void;
}

export function useToolbar(): ToolbarKeys {
  const ref = useRef<HTMLDivElement>(null);
  const stop = useRef<EventTarget | null>(null);
  const controls = (): HTMLElement[] => [...(ref.current?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])];

  /** Tab goes to the control that had the focus last, or else to the first. */
  function mark(): void {
    const all = controls();
    const current = all.find((one) => one === stop.current) ?? all[0];
    for (const one of all) one.tabIndex = one === current ? 0 : -1;
  }
  useEffect(mark);

  return {
    ref,
    onFocusIn({ target }) {
      if (!controls().some((one) => one === target)) return;
      stop.current = target;
      mark();
    },
    onKeyDown(event) {
      const all = controls();
      const at = all.findIndex((one) => one === event.target);
      const step = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
      if (step === undefined || at < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      all.at(step % all.length)?.focus();
    },
  };
}
