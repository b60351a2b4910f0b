// A screen whose content could not be loaded.
import { t } from '../text/translate.ts';
import { Failed } from '../ui/states.tsx';
import { Screen } from './screen.tsx';

export function FailedScreen({ error, onRetry }: { error: unknown; onRetry(): void }) {
  return (
    <Screen heading={t('state.error')} kind="failed">
      <Failed error={error} onRetry={onRetry} />
    </Screen>
  );
}
