import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { ApiError, type Problem } from '../../api/client.ts';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { useTitle } from '../../shell/use-title.ts';
import { t } from '../../text/translate.ts';
import { DoorPage } from '../../ui/door-page.tsx';
import { TextField } from '../../ui/field.tsx';
import { Loaded } from '../../ui/states.tsx';

export default function Setup() {
  const { state, refresh } = useResource<{ hasUsers: boolean; tokenRequired?: boolean }>('/api/auth/setup');
  useTitle(t('setup.title'));
  return (
    <DoorPage heading={t('setup.title')}>
      <p>{t('setup.text')}</p>
      <Loaded state={state} onRetry={refresh}>
        {({ tokenRequired }) => <SetupForm wantsToken={tokenRequired === true} />}
      </Loaded>
    </DoorPage>
  );
}

function SetupForm({ wantsToken }: { wantsToken: boolean }) {
  const { request, session } = useAdmin();
  const { query } = useLocation();
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [setupToken, setToken] = useState(query.token ?? '');
  const [problem, setProblem] = useState<string>();
  const [details, setDetails] = useState<readonly Problem[]>([]);
  const [isBusy, setBusy] = useState(false);
  const errorOf = (path: string): string | undefined => details.find((one) => one.path === path)?.message;

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setProblem(undefined);
    setDetails([]);
    try {
      const body = { name, email, password, ...(wantsToken ? { setupToken } : {}) };
      await request('POST', '/api/auth/setup', { body });
      await session.load();
    } catch (error) {
      setProblem(toSentence(error));
      if (error instanceof ApiError) setDetails(error.details);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form class="form" onSubmit={submit}>
      {problem && (
        <div class="problem" role="alert">
          {problem}
        </div>
      )}
      <TextField
        label={t('setup.name')}
        {...{ name: 'name', autocomplete: 'name', value: name, error: errorOf('name') }}
        onInput={setName}
      />
      <TextField
        label={t('login.email')}
        {...{ name: 'email', type: 'email', autocomplete: 'username', value: email, error: errorOf('email') }}
        onInput={setEmail}
      />
      <TextField
        label={t('login.password')}
        help={t('setup.passwordHelp')}
        {...{ name: 'password', type: 'password', autocomplete: 'new-password' }}
        {...{ value: password, error: errorOf('password') }}
        onInput={setPassword}
      />
      {wantsToken && (
        <TextField
          label={t('setup.token')}
          help={t('setup.tokenHelp')}
          {...{ name: 'setupToken', autocomplete: 'off', value: setupToken, error: errorOf('setupToken') }}
          onInput={setToken}
        />
      )}
      <button type="submit" class="primary" aria-busy={isBusy}>
        {t('setup.submit')}
      </button>
    </form>
  );
}
