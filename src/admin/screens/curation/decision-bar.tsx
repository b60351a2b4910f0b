// The decision about an item, by buttons and by keys of one letter.
import { useState } from 'preact/hooks';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import type { CollectionInfo } from '../../config/manifest.ts';
import type { StoredDocument } from '../../document/stored-document.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useKeys } from '../../shell/use-keys.ts';
import { t } from '../../text/translate.ts';
import { ConflictQuestion } from '../document/conflict-question.tsx';
import { type ItemField, type QueueItem, toApprovedFields } from './item-fields.ts';
import { useDecision } from './use-decision.ts';

const RejectDialog = lazy(() => import('./reject-dialog.tsx').then((module) => module.RejectDialog));

export interface DecisionBarProps {
  item: QueueItem;
  etag: string | undefined;
  url: string;
  collection: CollectionInfo | undefined;
  fields: readonly ItemField[];
  without: ReadonlySet<string>;
  alternative: number | undefined;
  /** The document that it changes, as it is now. */
  document: StoredDocument | undefined;
  isGone: boolean;
  onEdit(): void;
  onDecided(): void;
  onChanged(): void;
}

export function DecisionBar(props: DecisionBarProps) {
  const { item, collection, fields, without, alternative, document, isGone, onEdit } = props;
  const { session } = useAdmin();
  const [isRejecting, setRejecting] = useState(false);
  const decision = useDecision(props);
  const [mayPublish, mayWrite] = [session.may('content:publish'), session.may('content:write')];
  const writable = fields.filter(({ isLocked }) => !isLocked);
  const taken = writable.filter(({ name }) => !without.has(name));
  // An item may change nothing but the status.
  const isNothing = fields.length > 0 && taken.length === 0;
  const isPublic = document !== undefined && (document.status === 'published' || document.publishAt !== undefined);
  const choice = { alternative, fields: toApprovedFields({ fields, without }) };
  const mayApprove = !isNothing && !isGone && !decision.isBusy;
  const approve = (asDraft: boolean) => (): void => {
    if (mayApprove) void decision.approve({ ...choice, ...(asDraft ? { asDraft } : {}) });
  };
  const canDraft = mayWrite && !isPublic;
  const mayEdit = mayWrite && collection !== undefined;
  useKeys({
    ...(mayPublish ? { a: approve(false) } : {}),
    ...(mayWrite ? { r: () => setRejecting(true) } : {}),
    ...(mayEdit ? { e: onEdit } : {}),
  });
  if (!mayWrite && !mayPublish) return <p class="note">{t('curation.readOnly')}</p>;
  return (
    <div class="decision-bar">
      <div class="buttons" role="toolbar" aria-label={t('curation.decision')}>
        {mayPublish && (
          <button
            type="button"
            class="primary"
            data-once
            aria-disabled={!mayApprove}
            aria-keyshortcuts="a"
            onClick={approve(false)}
          >
            {t('curation.approve')}
          </button>
        )}
        {canDraft && (
          <button type="button" data-once aria-disabled={!mayApprove} onClick={approve(true)}>
            {t('curation.asDraft')}
          </button>
        )}
        {mayWrite && (
          <button type="button" aria-keyshortcuts="r" onClick={() => setRejecting(true)}>
            {t('curation.reject')}
          </button>
        )}
        {mayEdit && (
          <button type="button" class="plain" aria-keyshortcuts="e" onClick={onEdit}>
            {t('curation.edit')}
          </button>
        )}
      </div>
      {mayPublish && document && document.status !== 'published' && <p class="help">{t('curation.publishesAll')}</p>}
      <p class="help">
        {isNothing
          ? t('curation.nothing')
          : taken.length < fields.length && t('curation.part', { count: taken.length, total: fields.length })}
      </p>
      {decision.problems.length > 0 && (
        <div class="problem" role="alert">
          <p>{t('curation.invalid')}</p>
          <ul class="notes">
            {decision.problems.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      {isRejecting && (
        <ErrorBoundary>
          <RejectDialog title={item.title} onClose={() => setRejecting(false)} onReject={decision.reject} />
        </ErrorBoundary>
      )}
      {decision.conflicts && collection && (
        <ConflictQuestion
          {...{ collection }}
          conflicts={decision.conflicts}
          texts={{
            text: t('curation.conflict'),
            again: t('curation.conflictAgain'),
            choices: { mine: t('curation.proposed'), theirs: t('curation.current'), both: t('conflict.both') },
            save: t('curation.approveMerged'),
            back: t('curation.conflictBack'),
          }}
          onDecide={(chosen) => void decision.merge(chosen)}
          onClose={decision.postpone}
        />
      )}
    </div>
  );
}
