// Secrets that the service has just made, the only time that they are shown.
import { useCopied } from '../../shell/use-copied.ts';
import { t } from '../../text/translate.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { propertyAt, type SettingsOutline } from './settings-shape.ts';
import type { GeneratedSecrets } from './use-stored-settings.ts';

export function GeneratedDialog(props: { generated: GeneratedSecrets; shape: SettingsOutline; onClose(): void }) {
  const onCopy = useCopied();
  return (
    <Dialog title={t('secret.new')}>
      {Object.entries(props.generated).map(([path, secret], at) => (
        <CopyField
          key={path}
          label={propertyAt(props.shape, path)?.title ?? t('webhooks.secret')}
          value={secret}
          verb={t('secret.copy')}
          help={t('tokens.once')}
          hasFocus={at === 0}
          onCopy={onCopy}
        />
      ))}
      <div class="buttons">
        <button type="button" class="primary" onClick={props.onClose}>
          {t('tokens.done')}
        </button>
      </div>
    </Dialog>
  );
}
