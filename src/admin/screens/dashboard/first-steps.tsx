// What to begin with on a site that nothing has happened on yet.
import { toDocumentPath } from '../../config/document-path.ts';
import { MANIFEST_URL, type Manifest, singularOf } from '../../config/manifest.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Card } from '../../ui/card.tsx';

export function FirstSteps() {
  const { session } = useAdmin();
  const { state } = useResource<Manifest>(MANIFEST_URL);
  const collections = state.kind === 'ready' ? state.data.collections : [];
  const first = session.may('content:draft') ? collections[0] : undefined;
  return (
    <Card title={t('first.title')} icon="rocket">
      <ol class="first-steps">
        {first && (
          <li>
            <a href={toDocumentPath(first.name, 'new')}>{t('first.write')}</a>
            <span class="help">{t('first.writeText', { label: singularOf(first) })}</span>
          </li>
        )}
        {session.may('media:write') && (
          <li>
            <a href="/admin/media">{t('first.upload')}</a>
            <span class="help">{t('first.uploadText')}</span>
          </li>
        )}
        <li>
          <a href="/admin/help">{t('first.read')}</a>
          <span class="help">{t('help.text')}</span>
        </li>
      </ol>
    </Card>
  );
}
