// Which documents something could not be done to, and why.

import { toDocumentPath } from '../../config/document-path.ts';
import { t } from '../../text/translate.ts';
import type { BulkFailure } from './run-bulk.ts';

const SHOWN = 50;

export function Failures({
  collection,
  failures,
  onClose,
}: {
  collection: string;
  failures: readonly BulkFailure[];
  onClose(): void;
}) {
  if (failures.length === 0) return null;
  return (
    <div class="problem failures" role="alert">
      <p>{t('bulk.failed', { count: failures.length })}</p>
      <ul>
        {failures.slice(0, SHOWN).map(({ document, reason }) => (
          <li key={document.id}>
            <a href={toDocumentPath(collection, document.slug)}>
              <bdi>{document.title}</bdi>
            </a>{' '}
            {reason}
          </li>
        ))}
      </ul>
      {failures.length > SHOWN && <p class="help">{t('dashboard.more', { count: failures.length - SHOWN })}</p>}
      <button type="button" onClick={onClose}>
        {t('app.dismiss')}
      </button>
    </div>
  );
}
