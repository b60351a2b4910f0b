// The question before everything that was made for an instance is removed: what that is, and the token if it is needed.
import { useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
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
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const { id, appName: app, made, needsToken } = provision;
  const texts = toMadeTexts(provision);

  async function remove(): Promise<void> {
    if (isBusy) return;
    if (needsToken && token.trim() === '') return setProblem(t('wizard.tokenMissing'));
    setBusy(true);
    setProblem(undefined);
    try {
      const options = token === '' ? {} : { body: { flyToken: token } };
      const { data } = await request<{ left: string | null }>('DELETE', `${PROVISIONS_URL}/${id}`, options);
      messages.notify(data.left ? t('wizard.left', { app, reason: data.left }) : t('wizard.removed', { app }));
      onClose();
      onRemoved();
    } catch (error) {
      setProblem(toSentence(error));
      setBusy(false);
    }
  }

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
