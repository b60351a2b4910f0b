// Tabs (ARIA Authoring Practices, "Tabs with automatic activation"): arrows, Home, End.
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';

export interface Tab {
  id: string;
  label: string;
  /** How much is behind it. */
  count?: { shown: string; said: string } | undefined;
}

export interface TabsProps {
  label: string;
  tabs: readonly Tab[];
  chosen: string;
  onChoose(id: string): void;
  children(id: string): ComponentChildren;
}

export function Tabs({ label, tabs, chosen, onChoose, children }: TabsProps) {
  const base = useId();
  const list = useRef<HTMLDivElement>(null);
  const idOf = (index: number) => `${base}-${index}`;
  const at = Math.max(
    0,
    tabs.findIndex(({ id }) => id === chosen),
  );

  function onKeyDown(event: KeyboardEvent): void {
    const count = tabs.length;
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + count, Home: 0, End: count - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const next = tabs[to % count];
    if (!next) return;
    onChoose(next.id);
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[to % count]?.focus();
  }

  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map((tab, index) => (
          <button
            type="button"
            role="tab"
            key={tab.id}
            id={idOf(index)}
            aria-selected={index === at}
            aria-controls={index === at ? `${idOf(index)}-panel` : undefined}
            aria-description={tab.count?.said}
            tabIndex={index === at ? 0 : -1}
            onClick={() => onChoose(tab.id)}
          >
            {tab.label}
            {tab.count && (
              <span class="tab-count" aria-hidden="true">
                {tab.count.shown}
              </span>
            )}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id={`${idOf(at)}-panel`} aria-labelledby={idOf(at)}>
        {tabs[at] && children(tabs[at].id)}
      </div>
    </>
  );
}
