// A button that opens a panel beside it (ARIA Authoring Practices, "Disclosure"): Escape and a click elsewhere close it.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLeave } from './use-leave.ts';

export interface PopoverProps {
  label: ComponentChildren;
  /** The name of the panel. */
  title: string;
  children: ComponentChildren;
}

export function Popover({ label, title, children }: PopoverProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();

  useLayoutEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector<HTMLElement>('.popover :is(input, button, select)')?.focus();
  }, [isOpen]);
  useLeave(root, isOpen, () => setOpen(false));

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is inside has the focus
    <div
      class="menu-root"
      ref={root}
      onKeyDown={(event) => {
        if (!isOpen || event.key !== 'Escape') return;
        event.stopPropagation();
        setOpen(false);
        button.current?.focus();
      }}
    >
      <button
        type="button"
        ref={button}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {label}
      </button>
      {isOpen && (
        <fieldset class="menu popover" id={id} aria-label={title}>
          {children}
        </fieldset>
      )}
    </div>
  );
}
