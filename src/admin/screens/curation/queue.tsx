import type { CollectionInfo } from '../../config/manifest.ts';
import { Time } from '../../shell/time.tsx';
import { t } from '../../text/translate.ts';
import { isDecided, type QueueItem, toItemPath } from './item-fields.ts';

export type QueueFilter = 'waiting' | 'published' | 'approved' | 'rejected';

export interface QueueProps {
  items: readonly QueueItem[];
  /** The one that is open. */
  id: string | undefined;
  collections: readonly CollectionInfo[];
  isDone: boolean;
  onMore(): void;
}

/** The items, newest first, as links. */
export function Queue({ items, id, collections, isDone, onMore }: QueueProps) {
  return (
    <>
      <ul class="queue" aria-label={t('curation.queue')}>
        {items.map((item) => (
          <li key={item.id}>
            <a href={toItemPath(item.id)} aria-current={item.id === id ? 'true' : undefined}>
              <span class="row-title">
                <bdi>{item.title}</bdi>
              </span>
              <span class="help">
                <bdi>{collections.find(({ name }) => name === item.collection)?.label ?? item.collection}</bdi>
                {' · '}
                <bdi>{item.agentName}</bdi>
                {' · '}
                <Time at={item.createdAt} />
              </span>
              {item.status === 'in_review' && <span class="tag">{t('curation.inReview')}</span>}
              {isDecided(item) && item.decidedBy && (
                <span class="help">{t(`curation.by.${toWord(item)}`, { who: item.decidedBy.name })}</span>
              )}
            </a>
          </li>
        ))}
      </ul>
      {!isDone && (
        <button type="button" onClick={onMore}>
          {t('curation.more')}
        </button>
      )}
    </>
  );
}

function toWord({ status }: QueueItem): 'published' | 'approved' | 'rejected' {
  return status === 'published' || status === 'approved' ? status : 'rejected';
}
