// What is taken out of a field comes back by its message, as long as the field is there.
import { useEffect, useRef } from 'preact/hooks';
import { useAdmin } from '../shell/admin.ts';
import { t } from '../text/translate.ts';

/** Says that something of a name is removed, with the way back. */
export function useRemoval(): (name: string, undo: () => void) => void {
  const { messages } = useAdmin();
  const undos = useRef<(() => void)[]>([]);
  // A field that is gone takes nothing back: its last value is not that of the document any more.
  useEffect(
    () => () => {
      for (const undo of undos.current) messages.withdraw(undo);
    },
    [],
  );
  return (name, undo) => {
    undos.current.push(undo);
    messages.notify(t('item.removed', { name }), undo);
  };
}
