// Secrets of settings that the service has just made, the only time that they are shown.
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { MadeSecrets } from './made-secrets.tsx';
import { propertyAt, type SettingsOutline } from './settings-shape.ts';
import type { GeneratedSecrets } from './use-stored-settings.ts';

export function GeneratedDialog(props: { generated: GeneratedSecrets; shape: SettingsOutline; onClose(): void }) {
  const secrets = Object.entries(props.generated).map(([path, value]) => ({
    label: propertyAt(props.shape, path)?.title ?? t('webhooks.secret'),
    value,
  }));
  return (
    <Dialog title={t('secret.new')}>
      <MadeSecrets secrets={secrets} onDone={props.onClose} />
    </Dialog>
  );
}
