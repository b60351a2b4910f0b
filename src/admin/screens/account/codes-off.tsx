import { useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { CODES_URL } from './addresses.ts';

export function CodesOff({ isWanted, onClose }: { isWanted: boolean; onClose(): void }) {
  const { request, session, messages } = useAdmin();
  const [currentPassword, setPassword] = useState('');
  const [code, setCode] = useState('');
  const { problem, isBusy, run } = useSubmit();

  async function turnOff(): Promise<void> {
    await request('DELETE', CODES_URL, { body: { currentPassword, code } });
    onClose();
    messages.notify(t('codes.turnedOff'));
    await session.load();
  }

  return (
    <Dialog title={t('codes.turnOffTitle')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(turnOff);
        }}
      >
        <p>{t(isWanted ? 'codes.turnOffWanted' : 'codes.turnOffText')}</p>
        {problem && (
          <div class="problem" role="alert">
            {problem}
          </div>
        )}
        <TextField
          label={t('profile.currentPassword')}
          {...{ name: 'password', type: 'password', autocomplete: 'current-password', value: currentPassword }}
          onInput={setPassword}
        />
        <TextField
          label={t('codes.code')}
          help={t('codes.codeOrRecovery')}
          {...{ name: 'code', autocomplete: 'one-time-code', value: code }}
          onInput={setCode}
        />
        <div class="buttons">
          <button type="submit" class="primary" aria-busy={isBusy}>
            {t('codes.turnOff')}
          </button>
          <button type="button" onClick={onClose}>
            {t('app.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
