import { t } from '../text/translate.ts';
import { useAdmin } from './admin.ts';

/** Says whether a text was copied. */
export function useCopied(): (isCopied: boolean) => void {
  const { messages } = useAdmin();
  return (isCopied) => messages.notify(t(isCopied ? 'copy.done' : 'copy.byHand'));
}
