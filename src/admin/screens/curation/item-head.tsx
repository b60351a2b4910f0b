// What an item is about: the document, who proposes it, why, and what it cost.
import { toDocumentPath } from '../../config/document-path.ts';
import { type CollectionInfo, singularOf } from '../../config/manifest.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { useAdmin } from '../../shell/admin.ts';
import { Time } from '../../shell/time.tsx';
import { toUsd } from '../../text/money.ts';
import { t } from '../../text/translate.ts';
import { StatusMark } from '../../ui/status-mark.tsx';
import type { QueueItem } from './item-fields.ts';

export interface ItemHeadProps {
  item: QueueItem;
  collection: CollectionInfo | undefined;
  /** As it is now; undefined for a new one. */
  document: StoredDocument | undefined;
}

export function ItemHead({ item, collection, document }: ItemHeadProps) {
  const label = collection ? singularOf(collection) : item.collection;
  return (
    <header class="item-head">
      <h2 id="item-title" tabIndex={-1}>
        <bdi>{item.title}</bdi>
      </h2>
      <p class="item-what">
        {document ? (
          <>
            <a href={toDocumentPath(item.collection, document.slug)}>{t('curation.changes', { label })}</a>{' '}
            <StatusMark document={document} />
          </>
        ) : (
          t(item.documentId === null ? 'curation.new' : 'curation.changes', { label })
        )}
      </p>
      <Origin item={item} />
      {item.reason !== null && (
        <blockquote class="reason" aria-label={t('curation.reason')}>
          <bdi>{item.reason}</bdi>
        </blockquote>
      )}
    </header>
  );
}

function Origin({ item }: { item: QueueItem }) {
  const { session } = useAdmin();
  const { agentId, agentName, model, costUsd, tokens, createdAt } = item;
  return (
    <p class="help">
      {agentId !== null && session.may('org:settings:read') ? (
        <a href={`/admin/agents/${agentId}`}>
          <bdi>{agentName}</bdi>
        </a>
      ) : (
        <bdi>{agentName}</bdi>
      )}
      {model !== null && model !== agentName && ` · ${model}`}
      {tokens !== null && ` · ${t('ai.tokens', { count: tokens })}`}
      {costUsd !== null && ` · ${toUsd(costUsd)}`}
      {' · '}
      <Time at={createdAt} />
    </p>
  );
}
