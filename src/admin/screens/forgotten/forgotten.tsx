import { useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { useTitle } from '../../shell/use-title.ts';
import { t } from '../../text/translate.ts';
import { DoorPage } from '../../ui/door-page.tsx';
import { TextField } from '../../ui/field.tsx';

export default function Forgotten() {
  const { request } = useAdmin();
  const [email, setEmail] = useState('');
  const [outcome, setOutcome] = useState<{ isSent: boolean; text: string }>();
  useTitle(t('forgotten.title'));

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    try {
      await request('POST', '/api/auth/reset', { body: { email } });
      setOutcome({ isSent: true, text: t('forgotten.sent') });
    } catch (error) {
      setOutcome({ isSent: false, text: toSentence(error) });
    }
  }

  return (
    <DoorPage heading={t('forgotten.title')}>
      <p>{t('forgotten.text')}</p>
      <form class="form" onSubmit={submit}>
        {outcome && <div role={outcome.isSent ? 'status' : 'alert'}>{outcome.text}</div>}
        <TextField
          label={t('login.email')}
          {...{ name: 'email', type: 'email', autocomplete: 'username', value: email }}
          onInput={setEmail}
        />
        <button type="submit" class="primary">
          {t('forgotten.submit')}
        </button>
      </form>
      <p>
        <a href="/admin/login">{t('forgotten.back')}</a>
      </p>
    </DoorPage>
  );
}
