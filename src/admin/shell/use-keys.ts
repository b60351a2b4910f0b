import { useLayoutEffect, useRef } from 'preact/hooks';
import { isTyping } from '../ui/is-typing.ts';
import { useAdmin } from './admin.ts';
import { hasLetterKeys, isLetterKey } from './letter-keys.ts';

/** Keys of the screen as soon as it is seen, wherever the focus is except where one types and in dialogs. */
export function useKeys(keys: Readonly<Record<string, () => unknown>>): void {
  const { session } = useAdmin();
  const latest = useRef(keys);
  latest.current = keys;
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return;
      if (isLetterKey(event.key) && !hasLetterKeys(session.preferences())) return;
      if (document.querySelector('dialog[open]') || !Object.hasOwn(latest.current, event.key)) return;
      event.preventDefault();
      latest.current[event.key]!();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
