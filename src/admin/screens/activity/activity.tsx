// Who did what in the site: changes and the audit as one list. Beside it, how the repository and its remote are.
import { useLocation } from 'preact-iso/router';
import { MANIFEST_URL, type Manifest } from '../../config/manifest.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useNavigate } from '../../shell/use-navigate.ts';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityList } from './activity-list.tsx';
import { type ActivityQuery, EVERYTHING, isFiltered, parseActivity, toActivityPath } from './activity-query.ts';
import { Repository } from './repository.tsx';
import { useActivity } from './use-activity.ts';

export default function ActivityScreen() {
  const { session } = useAdmin();
  if (!session.may('content:read')) return <NoAccess right={t('right.content:read')} />;
  return <KnownActivity />;
}

function KnownActivity() {
  const { session } = useAdmin();
  const { url } = useLocation();
  const navigate = useNavigate();
  const manifest = useResource<Manifest>(MANIFEST_URL);
  const known = manifest.state.kind === 'ready' ? manifest.state.data : undefined;
  const query = parseActivity(url.split('?')[1] ?? '');
  const mayReadAudit = session.may('org:settings:read');
  const change = (next: ActivityQuery): void => navigate(toActivityPath(next), true);
  return (
    <Screen heading={t('activity.title')}>
      <div class="activity-screen">
        <div>
          <ActivityFilters query={query} manifest={known} mayReadAudit={mayReadAudit} onChange={change} />
          <Found query={query} manifest={known} mayReadAudit={mayReadAudit} onClear={() => change(EVERYTHING)} />
        </div>
        {session.may('sites:read') && (
          <div>
            <Repository />
          </div>
        )}
      </div>
    </Screen>
  );
}

interface FoundProps {
  query: ActivityQuery;
  manifest: Manifest | undefined;
  mayReadAudit: boolean;
  onClear(): void;
}

function Found({ query, manifest, mayReadAudit, onClear }: FoundProps) {
  const { items, isDone, isBusy, error, more, reload } = useActivity(query, mayReadAudit);
  return (
    <>
      {items === undefined && error === undefined && <Loading lines={8} />}
      {!!items?.length && <ActivityList items={items} manifest={manifest} />}
      {items?.length === 0 && isDone && (
        <div class="nothing">
          <Icon name="history" />
          <p>{t(isFiltered(query) ? 'activity.none' : 'activity.empty')}</p>
          {isFiltered(query) && (
            <button type="button" onClick={onClear}>
              {t('activity.clear')}
            </button>
          )}
        </div>
      )}
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {items !== undefined && !isDone && error === undefined && (
        <p class="buttons">
          <button type="button" aria-busy={isBusy} onClick={more}>
            {t('activity.more')}
          </button>
          {items.length === 0 && !isBusy && <span class="help">{t('activity.farBack')}</span>}
        </p>
      )}
    </>
  );
}
