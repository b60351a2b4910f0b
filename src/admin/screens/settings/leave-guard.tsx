// Asks before one leaves with something unsaved: by a link, and by closing or reloading the tab.
import { useEffect, useState } from 'preact/hooks';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';

export interface LeaveGuardProps {
  isDirty: boolean;
  /** Whether a path is another part of the same screen. */
  isInside(path: string): boolean;
}

export function LeaveGuard({ isDirty, isInside }: LeaveGuardProps) {
  const navigate = useNavigate();
  const [wanted, setWanted] = useState<string>();

  useEffect(() => {
    if (!isDirty) return undefined;
    const onUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    const onClick = (event: MouseEvent): void => {
      const path = pathOf(event);
      if (path === undefined || isInside(path.split(/[?#]/)[0]!)) return;
      // Before the router hears of it.
      event.preventDefault();
      event.stopPropagation();
      setWanted(path);
    };
    addEventListener('beforeunload', onUnload);
    document.addEventListener('click', onClick, true);
    return () => {
      removeEventListener('beforeunload', onUnload);
      document.removeEventListener('click', onClick, true);
    };
  }, [isDirty]);

  if (wanted === undefined) return null;
  return (
    <AlertDialog
      title={t('settings.leave')}
      verb={t('settings.leave')}
      cancel={t('app.cancel')}
      onConfirm={() => {
        setWanted(undefined);
        navigate(wanted);
      }}
      onClose={() => setWanted(undefined)}
    >
      <p>{t('settings.leaveText')}</p>
    </AlertDialog>
  );
}

/** The path in the admin that a click on a link leads to in this tab. */
function pathOf(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.origin !== location.origin) return undefined;
  if (link.target !== '' && link.target !== '_self') return undefined;
  if (link.pathname === location.pathname && link.search === location.search) return undefined;
  return link.pathname.startsWith('/admin') ? link.pathname + link.search : undefined;
}
