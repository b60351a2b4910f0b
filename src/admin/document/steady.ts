// A computed value that stays the same object while it is equal, so that what shows it is drawn again only if it changed.
import { computed, type ReadonlySignal } from '@preact/signals';
import { isEqual } from './is-equal.ts';

export function steady(read: () => unknown): ReadonlySignal<unknown> {
  let last: unknown;
  return computed(() => {
    const next = read();
    if (!isEqual(last, next)) last = next;
    return last;
  });
}
