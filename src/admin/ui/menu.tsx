// A menu button (ARIA Authoring Practices, "Menu Button"): arrows, Home, End, first letters, Escape.
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLeave } from './use-leave.ts';

export type MenuEntry =
  | { kind: 'item'; label: string; onSelect(): void }
  | { kind: 'radio'; label: string; isChosen: boolean; onSelect(): void }
  | { kind: 'group'; label: string; entries: readonly MenuEntry[] };

export interface MenuProps {
  label: string;
  children: ComponentChildren;
  entries: readonly MenuEntry[];
}

const ITEMS = '[role^="menuitem"]';

export function Menu({ label, children, entries }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const items = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])];

  useLayoutEffect(() => {
    if (!isOpen) return;
    items()[0]?.focus();
  }, [isOpen]);
  useLeave(root, isOpen, () => setOpen(false));

  function close(): void {
    setOpen(false);
    button.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = (next: number): void => all[(next + all.length) % all.length]?.focus();
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown') to(at + 1);
    else if (event.key === 'ArrowUp') to(at - 1);
    else if (event.key === 'Home') to(0);
    else if (event.key === 'End') to(-1);
    else if (/^\S$/u.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const letter = event.key.toLowerCase();
      const later = [...all.slice(at + 1), ...all.slice(0, at + 1)];
      later.find((item) => item.textContent?.trim().toLowerCase().startsWith(letter))?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const select = (act: () => void) => () => {
    close();
    act();
  };

  const toItem = (entry: MenuEntry) => {
    if (entry.kind === 'group') {
      return (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a menu
        <div role="group" aria-label={entry.label} key={entry.label}>
          {entry.entries.map(toItem)}
        </div>
      );
    }
    const isRadio = entry.kind === 'radio';
    return (
      <button
        type="button"
        role={isRadio ? 'menuitemradio' : 'menuitem'}
        {...(isRadio ? { 'aria-checked': entry.isChosen } : {})}
        tabIndex={-1}
        key={entry.label}
        onClick={select(entry.onSelect)}
      >
        {entry.label}
      </button>
    );
  };

  return (
    <div class="menu-root" ref={root}>
      <button
        type="button"
        class="plain"
        ref={button}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={(event) => {
          if (isOpen || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
          event.preventDefault();
          setOpen(true);
        }}
      >
        {children}
      </button>
      {isOpen && (
        <div class="menu" role="menu" id={id} aria-label={label} tabIndex={-1} onKeyDown={onKeyDown}>
          {entries.map(toItem)}
        </div>
      )}
    </div>
  );
}
