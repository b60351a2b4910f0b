// Values that stand in a row, each with a button that removes it, and with keys that move it.
import { t } from '../text/translate.ts';
import { Icon } from '../ui/icon.tsx';
import { useForm } from './control.ts';
import { moved, removed } from './items.ts';

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
  /** Undefined if there is only one, or their order means nothing. */
  canMove?: boolean;
}

export function Chips({ chips, values, onChange, isReadOnly, canMove = true }: ChipsProps) {
  const { announce } = useForm();
  if (chips.length === 0) return null;
  const move = (from: number, to: number): void => {
    if (to < 0 || to >= values.length) return;
    onChange(moved(values, from, to));
    announce(t('item.moved', { name: chips[from]?.label ?? '', to: to + 1, count: values.length }));
  };
  return (
    <ul class="chips">
      {chips.map(({ value, label, href, isMissing }, index) => (
        <li
          key={value}
          class={isMissing ? 'chip missing' : 'chip'}
          onKeyDown={(event) => {
            const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
            if (!event.altKey || step === undefined || isReadOnly || !canMove) return;
            event.preventDefault();
            event.stopPropagation();
            move(index, index + step);
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
              onClick={() => move(index, index - 1)}
            >
              <Icon name="left" />
            </button>
          )}
          {!isReadOnly && (
            <button
              type="button"
              class="plain"
              aria-label={t('item.removeNamed', { name: label })}
              onClick={() => onChange(removed(values, index))}
            >
              <Icon name="x" />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
