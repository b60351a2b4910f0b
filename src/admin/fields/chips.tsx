// Values that stand in a row, each with a button that removes it, and with keys that move it.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { useForm } from './control.ts';
import { inserted, moved, removed } from './items.ts';
import { useRemoval } from './use-removal.ts';

export interface Chip {
  value: string;
  label: string;
  href?: string | undefined;
  /** What it names is not there. */
  isMissing?: boolean;
}

export interface ChipsProps {
  chips: readonly Chip[];
  values: readonly string[];
  onChange(values: readonly string[]): void;
  isReadOnly: boolean;
  /** Names them if no box beside them does. */
  label?: string | undefined;
  /** Undefined if there is only one, or their order means nothing. */
  canMove?: boolean;
  /** Takes one out, as `useChips` gives it. */
  removal: ChipRemoval;
}

export interface ChipRemoval {
  remove(at: number, label: string): void;
  /** The chip whose button gets the focus once it is drawn. */
  wanted: { current: { at: number; action: string } | undefined };
}

/** Values that come back where they were, beside what was added since; a single one replaces it. */
export function useChips(values: readonly string[], onChange: (values: readonly string[]) => void, isSingle = false) {
  const wanted: ChipRemoval['wanted'] = useRef(undefined);
  const noteRemoval = useRemoval();
  const latest = useRef({ values, onChange });
  latest.current = { values, onChange };
  const putBack = (at: number, value: string): void => {
    const now = latest.current;
    if (now.values.includes(value)) return;
    const to = Math.min(at, now.values.length);
    wanted.current = { at: isSingle ? 0 : to, action: 'remove' };
    now.onChange(isSingle ? [value] : inserted(now.values, to, value));
  };
  const remove = (at: number, label: string): void => {
    const value = values[at];
    if (value === undefined) return;
    onChange(removed(values, at));
    noteRemoval(label, () => putBack(at, value));
  };
  return { wanted, remove } satisfies ChipRemoval;
}

export function Chips({ chips, values, onChange, isReadOnly, label: name, canMove = true, removal }: ChipsProps) {
  const { announce } = useForm();
  const list = useRef<HTMLUListElement>(null);
  const { wanted } = removal;

  // With the drawing, or it would take the focus from where the next key has led.
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const { at, action } = wanted.current;
    wanted.current = undefined;
    const chip = list.current?.children[Math.min(at, chips.length - 1)];
    const button = chip?.querySelector<HTMLElement>(`[data-action="${action}"]:not(:disabled)`);
    // A button that is gone gives the focus to the next one, and the last one to the box that adds.
    const next = chip ?? list.current?.nextElementSibling;
    (button ?? next?.querySelector<HTMLElement>('button:not(:disabled), input'))?.focus();
  });

  const move = (from: number, to: number, action: string): void => {
    if (to < 0 || to >= values.length) return;
    wanted.current = { at: to, action };
    onChange(moved(values, from, to));
    announce(t('item.moved', { name: chips[from]?.label ?? '', to: to + 1, count: values.length }));
  };
  return (
    <ul class="chips" aria-label={name} ref={list} hidden={chips.length === 0}>
      {chips.map(({ value, label, href, isMissing }, index) => (
        <li
          key={value}
          class={isMissing ? 'chip missing' : 'chip'}
          onKeyDown={(event) => {
            const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
            if (!event.altKey || step === undefined || isReadOnly || !canMove) return;
            event.preventDefault();
            event.stopPropagation();
            move(index, index + step, (event.target as HTMLElement).dataset.action ?? 'remove');
          }}
        >
          {href ? <a href={href}>{label}</a> : <span>{label}</span>}
          {isMissing && <span class="help">{t('relation.missing')}</span>}
          {!isReadOnly && canMove && chips.length > 1 && (
            <button
              type="button"
              class="plain"
              aria-label={t('item.earlier', { name: label })}
              disabled={index === 0}
              data-action="earlier"
              onClick={() => move(index, index - 1, 'earlier')}
            >
              <Icon name="left" />
            </button>
          )}
          {!isReadOnly && (
            <button
              type="button"
              class="plain"
              aria-label={t('item.removeNamed', { name: label })}
              data-action="remove"
              onClick={() => {
                wanted.current = { at: index, action: 'remove' };
                removal.remove(index, label);
              }}
            >
              <Icon name="x" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
