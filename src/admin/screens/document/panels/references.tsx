// Who points to this document.
import { toDocumentPath } from '../../../config/document-path.ts';
import { useResource } from '../../../shell/admin.ts';
import { t } from '../../../text/translate.ts';
import { Empty, Loaded } from '../../../ui/states.tsx';
import type { Reference } from '../open-dialog.ts';
import type { PanelProps } from './panels.tsx';

const SHOWN = 100;

export function References({ collection, document }: PanelProps) {
  const id = document.latest.value?.document.id;
  const url = id && `/api/cms/${collection.name}/${id}/references?limit=${SHOWN}`;
  const { state, refresh } = useResource<{ references: readonly Reference[]; total: number }>(url);
  if (!url) return <Empty>{t('references.none')}</Empty>;
  return (
    <Loaded state={state} onRetry={refresh}>
      {({ references, total }) =>
        total === 0 ? (
          <Empty>{t('references.none')}</Empty>
        ) : (
          <>
            <ul class="rows">
              {references.map((one) => (
                <li key={`${one.collection}/${one.slug}/${one.field}`}>
                  <a href={toDocumentPath(one.collection, one.slug)}>{one.title || one.slug}</a>
                  <span class="help">{t('references.in', { field: one.field })}</span>
                </li>
              ))}
            </ul>
            {total > references.length && (
              <p class="help">{t('dashboard.more', { count: total - references.length })}</p>
            )}
          </>
        )
      }
    </Loaded>
  );
}
