import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';

/** Says whether a text was copied. */
export function useCopied(): (isCopied: boolean) => void {
  const { messages } = useAdmin();
  return (isCopied) => messages.notify(t(isCopied ? 'copy.done' : 'copy.byHand'));
}
