// The card of the site's health. What is in it is loaded once the dashboard is there.
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';
import { Failed, Loading } from '../../ui/states.tsx';

export function Health() {
  const [Content, setContent] = useState<ComponentType>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isOpen = true;
    import('./health.tsx').then(({ SiteHealth }) => isOpen && setContent(() => SiteHealth), setError);
    return () => {
      isOpen = false;
    };
  }, []);
  return (
    <Card title={t('dashboard.health')} icon="check">
      {Content && <Content />}
      {!Content && (error === undefined ? <Loading /> : <Failed error={error} onRetry={() => location.reload()} />)}
    </Card>
  );
}
