// The newest versions of a document, with the way to all of them.
import { toDocumentPath } from '../../../config/document-path.ts';
import { labelOfKey } from '../../../config/key-label.ts';
import { useResource } from '../../../shell/admin.ts';
import { Time } from '../../../shell/time.tsx';
import { t } from '../../../text/translate.ts';
import { Empty, Loaded } from '../../../ui/states.tsx';
import { toEventText } from '../../dashboard/event-text.ts';
import type { PanelProps } from './panels.tsx';

interface VersionEntry {
  commit: string;
  event: string;
  author: { name: string };
  date: string;
  fields: readonly string[];
}

const SHOWN = 10;

export function History({ collection, document }: PanelProps) {
  const stored = document.latest.value?.document;
  const base = stored && `${toDocumentPath(collection.name, stored.slug)}/history`;
  const { state, refresh } = useResource<{ entries: readonly VersionEntry[] }>(
    stored && `/api/cms/${collection.name}/${stored.id}/history?limit=${SHOWN}`,
  );
  if (!base) return <Empty>{t('history.none')}</Empty>;
  return (
    <>
      <Loaded state={state} onRetry={refresh}>
        {({ entries }) => (
          <ul class="rows" aria-label={t('panel.history')}>
            {entries.map(({ commit, event, author, date, fields }) => (
              <li key={commit}>
                <a href={`${base}/${commit}`}>
                  {author.name} {toEventText(event)}
                </a>
                <span class="help">
                  <Time at={date} />
                  {fields.length > 0 && ` · ${fields.map((name) => labelOfKey(name, collection)).join(', ')}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <p>
        <a href={base}>{t('history.all')}</a>
      </p>
    </>
  );
}
