// A screen whose file could not be loaded: it has another name after an upgrade, or the service cannot be reached.
import { useEffect, useState } from 'preact/hooks';
import { OfflineError } from '../api/client.ts';
import { t } from '../text/translate.ts';
import { useAdmin } from './admin.ts';
import { FailedScreen } from './failed-screen.tsx';
import { LoadingScreen } from './loading-screen.tsx';
import { Screen } from './screen.tsx';
import { useLive } from './use-live.ts';

export function ScreenMissing() {
  const { request } = useAdmin();
  const [offline, setOffline] = useState<OfflineError>();
  const [isUpdated, setUpdated] = useState(false);

  async function look(): Promise<void> {
    try {
      // A stranger may ask this too.
      await request('GET', '/api/auth/me');
    } catch (error) {
      if (error instanceof OfflineError) return setOffline(error);
      // It answers, so it is not the connection.
    }
    // A browser does not ask again for a script that it could not get.
    if (offline) location.reload();
    else setUpdated(true);
  }

  useEffect(() => void look(), []);
  useLive(['hello'], () => void look());
  if (isUpdated) return <Updated />;
  if (offline) return <FailedScreen error={offline} onRetry={() => void look()} />;
  return <LoadingScreen />;
}

function Updated() {
  return (
    <Screen heading={t('app.updated')} kind="failed">
      <div role="alert">
        <p>{t('app.updatedText')}</p>
        <button type="button" class="primary" onClick={() => location.reload()}>
          {t('app.reload')}
        </button>
      </div>
    </Screen>
  );
}
