import { ICONS, type IconName } from './icons.ts';

/** Decorative: the name of what it stands on is in the text beside it, or its label. */
export function Icon({ name }: { name: IconName }) {
  return <Shape lines={ICONS[name]} />;
}

/** `lines` is the `d` of a path in a box of 24. */
export function Shape({ lines }: { lines: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true" focusable="false">
      <path d={lines} />
    </svg>
  );
}
