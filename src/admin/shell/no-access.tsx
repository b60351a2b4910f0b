import { t } from '../text/translate.ts';
import { Screen } from './screen.tsx';

/** For a screen whose right the user does not have. `right` says what it would allow. */
export function NoAccess({ right }: { right: string }) {
  return (
    <Screen heading={t('state.noAccess')} kind="nothing">
      <p>{t('state.noAccessText', { right })}</p>
      <p>
        <a href="/admin">{t('state.toDashboard')}</a>
      </p>
    </Screen>
  );
}
