import { h } from 'preact';
import { ICONS, type IconName, type IconPart } from './icons.ts';

/** Decorative: the name of what it stands on is in the text beside it, or its label. */
export function Icon({ name }: { name: IconName }) {
  const parts: readonly IconPart[] = ICONS[name];
  return (
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false">
      {parts.map(([tag, attributes]) => h(tag, { key: JSON.stringify(attributes), ...attributes }))}
    </svg>
  );
}
