// One's own link to the calendar, for programs that show calendars.
import { useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { useAct } from '../../shell/use-act.ts';
import { useCopied } from '../../shell/use-copied.ts';
import { useFresh } from '../../shell/use-fresh.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { AlertDialog } from '../../ui/dialog.tsx';
import { Loaded } from '../../ui/states.tsx';

const LINK_URL = '/api/admin/calendar';

export function CalendarLink() {
  const { request, messages, session } = useAdmin();
  const act = useAct();
  const { state, refresh } = useFresh<{ url: string }>(LINK_URL);
  const [isAsking, setAsking] = useState(false);
  const onCopy = useCopied();

  async function renew(): Promise<void> {
    setAsking(false);
    await act('renew', async () => {
      await request('POST', `${LINK_URL}/rotate`);
      messages.notify(t('calendar.renewed'));
    });
    // Also if no answer came: the old link may have ended.
    refresh();
  }

  return (
    <Card title={t('calendar.subscribe')} icon="calendar">
      <Loaded state={state} onRetry={refresh}>
        {({ url }) => (
          <CopyField
            label={t('calendar.link')}
            value={url}
            verb={t('calendar.copy')}
            help={t('calendar.linkHelp')}
            onCopy={onCopy}
          />
        )}
      </Loaded>
      {session.may('org:settings:write') && (
        <button type="button" onClick={() => setAsking(true)}>
          {t('calendar.renew')}
        </button>
      )}
      {isAsking && (
        <AlertDialog
          title={t('calendar.renew')}
          verb={t('calendar.renew')}
          cancel={t('app.cancel')}
          onConfirm={() => void renew()}
          onClose={() => setAsking(false)}
        >
          <p>{t('calendar.renewText')}</p>
        </AlertDialog>
      )}
    </Card>
  );
}
