// What should have happened and has not, with the reason.
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import type { PlannedEvent } from './planned.ts';

/** Names of fields are enough, without the part of the document that they are in. */
function toReason(reason: string): string {
  return toSentence(reason.replace(/^data\./, ''));
}

/** The service looks once a minute. */
const TURN_MS = 150_000;

export function Overdue({ event: { at, reason } }: { event: PlannedEvent }) {
  const { now } = useAdmin();
  const isNew = now().getTime() - Date.parse(at) < TURN_MS;
  return (
    <span class="warned">
      <Icon name="warning" />
      <span>
        {t('calendar.overdue')}{' '}
        {reason === undefined ? t(isNew ? 'calendar.notYet' : 'calendar.notTried') : toReason(reason)}
      </span>
    </span>
  );
}
