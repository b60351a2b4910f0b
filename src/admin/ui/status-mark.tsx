// The state of a document, in a word and a colour, and whether it is planned to change.
import { toExact } from '../text/times.ts';
import { t } from '../text/translate.ts';
import { Icon } from './icon.tsx';

export interface StatusMarkProps {
  document: { status: 'draft' | 'published' | 'archived'; publishAt?: string; unpublishAt?: string };
}

export function StatusMark({ document: { status, publishAt, unpublishAt } }: StatusMarkProps) {
  // A published document is live already.
  const planned =
    publishAt && status !== 'published'
      ? t('status.publishes', { when: toExact(publishAt) })
      : unpublishAt && t('status.unpublishes', { when: toExact(unpublishAt) });
  return (
    <span class={`status status-${status}`}>
      {t(`status.${status}`)}
      {planned && (
        <span class="status-planned" title={planned}>
          <Icon name="calendar" />
          <span class="hidden">{planned}</span>
        </span>
      )}
    </span>
  );
}
