// The question before everything that was made for an instance is removed: what that is, and the token if it is needed.
import { useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { TOKEN_AUTOCOMPLETE } from './connect.tsx';
import { type BegunProvision, PROVISIONS_URL, toMadeTexts } from './wish.ts';

export interface RemoveDialogProps {
  provision: BegunProvision;
  verb: string;
  onClose(): void;
  onRemoved(): void;
}

export function RemoveDialog({ provision, verb, onClose, onRemoved }: RemoveDialogProps) {
  const { request, messages } = useAdmin();
  const [token, setToken] = useState('');
  // The question may be closed before the service answers.
  const { problem, isBusy, run } = useSubmit();
  const { id, appName: app, made, needsToken } = provision;
  const texts = toMadeTexts(provision);

  const remove = (): Promise<void> =>
    run(async () => {
      if (needsToken && token.trim() === '') throw new Error(t('wizard.tokenMissing'));
      const options = token === '' ? {} : { body: { flyToken: token } };
      const { data } = await request<{ left: string | null }>('DELETE', `${PROVISIONS_URL}/${id}`, options);
      messages.notify(data.left ? t('wizard.left', { app, reason: data.left }) : t('wizard.removed', { app }));
      onClose();
      onRemoved();
    });

  return (
    <AlertDialog
      title={verb}
      verb={isBusy ? t('wizard.removing') : verb}
      cancel={t('app.cancel')}
      onConfirm={() => void remove()}
      onClose={onClose}
    >
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <p>{t(texts.length > 0 ? 'wizard.removeText' : 'wizard.removeNothing', { app })}</p>
      {texts.length > 0 && (
        <ul class="notes">
          {texts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
      {texts.length > 0 && !made.app && <p class="help">{t('wizard.removeKeepsApp')}</p>}
      {needsToken && (
        <TextField
          label={t('wizard.token')}
          name="token"
          type="password"
          value={token}
          autocomplete={TOKEN_AUTOCOMPLETE}
          help={t('wizard.removeToken')}
          onInput={setToken}
        />
      )}
    </AlertDialog>
  );
}
