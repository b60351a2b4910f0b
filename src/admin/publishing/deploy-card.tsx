// The dashboard's region "Deploy": whether the site is live, and the button.
import { useAdmin } from '../shell/admin.ts';
import { t } from '../text/translate.ts';
import { Card } from '../ui/card.tsx';
import { Icon } from '../ui/icon.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { DeployButton } from './deploy-button.tsx';
import { findLiveRun } from './deploys.ts';
import { StateText } from './state-text.tsx';
import { useDeploys } from './use-deploys.ts';

export function DeployCard() {
  const { session } = useAdmin();
  const { known, error, refresh } = useDeploys();
  return (
    <Card title={t('deploy.title')} icon="rocket">
      {error !== undefined && <Failed error={error} onRetry={refresh} />}
      {!known && error === undefined && <Loading />}
      {known && (
        <>
          <p>
            <StateText state={known.state} />
          </p>
          <LiveAddress url={findLiveRun(known.runs)?.url} />
          <p class="deploy-actions">
            {session.may('deploy:trigger') && known.state.kind !== 'unset' && <DeployButton />}
            <a href="/admin/deploy">{t('deploy.all')}</a>
          </p>
        </>
      )}
    </Card>
  );
}

/** A host may answer with anything: only an address of the web becomes a link. */
export function LiveAddress({ url }: { url: string | null | undefined }) {
  if (!url || !/^https?:\/\//i.test(url)) return null;
  return (
    <p>
      <a href={url} target="_blank" rel="noreferrer">
        {t('deploy.visit')} <Icon name="external" />
      </a>
    </p>
  );
}
