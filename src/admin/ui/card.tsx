import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

/** A part of a screen with a heading of its own: a region of that name. */
export function Card({ title, icon, children }: { title: string; icon: IconName; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id} tabIndex={-1}>
        <Icon name={icon} />
        {title}
      </h2>
      {children}
    </section>
  );
}
