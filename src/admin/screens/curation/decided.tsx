// An item that is decided: by whom, what they said, where it led to, and the way back of a rejection.
import { toDocumentPath } from '../../config/document-path.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useAct } from '../../shell/use-act.ts';
import { toRelative } from '../../text/times.ts';
import { t } from '../../text/translate.ts';
import type { QueueItem } from './item-fields.ts';

export interface DecidedProps {
  item: QueueItem;
  url: string;
  onChanged(): void;
}

export function Decided({ item, url, onChanged }: DecidedProps) {
  const { request, messages, session, now } = useAdmin();
  const act = useAct();
  const { status, decidedBy, decidedAt, feedback, collection, slug, title } = item;
  const values = {
    who: decidedBy?.name ?? t('done.someone'),
    when: decidedAt === null ? '' : toRelative(decidedAt, now().getTime()),
  };
  const word = status === 'published' || status === 'approved' ? status : 'rejected';

  async function reopen(): Promise<void> {
    await act('reopen', async () => {
      await request('POST', `${url}/reopen`);
      messages.notify(t('curation.reopened', { title }));
    });
    onChanged();
    // The button goes with the decision, and the focus must not go with it.
    document.getElementById('item-title')?.focus();
  }

  return (
    <div class="note decided" role="status">
      <p>{t(`curation.was.${word}`, values)}</p>
      {feedback !== null && (
        <blockquote class="reason">
          <bdi>{feedback}</bdi>
        </blockquote>
      )}
      {word !== 'rejected' && slug !== null && (
        <a href={toDocumentPath(collection, slug)}>{t('curation.toDocument')}</a>
      )}
      {word === 'rejected' && session.may('content:write') && (
        <button type="button" onClick={() => void reopen()}>
          {t('curation.reopen')}
        </button>
      )}
    </div>
  );
}
