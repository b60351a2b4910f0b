import { useState } from 'preact/hooks';
import type { Profile } from '../../api/session.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { TextField } from '../../ui/field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { PROFILE_URL, SESSIONS_URL } from './addresses.ts';

interface Saved {
  emailPending?: string;
  /** After a new password: the tokens that remain valid. */
  tokens?: readonly unknown[];
}

export function ProfileForm({ user }: { user: Profile['user'] }) {
  const { request, session, resources, messages } = useAdmin();
  const [name, setName] = useState(user.name);
  const [email, setEmail] = useState(user.email);
  const [newPassword, setNewPassword] = useState('');
  const [currentPassword, setCurrentPassword] = useState('');
  const { problem, isBusy, errorOf, run } = useSubmit();
  const needsPassword = email !== user.email || newPassword !== '';

  async function save(): Promise<void> {
    const body = {
      ...(name === user.name ? {} : { name }),
      ...(email === user.email ? {} : { email }),
      ...(newPassword === '' ? {} : { newPassword }),
      ...(needsPassword ? { currentPassword } : {}),
    };
    const { data } = await request<Saved>('POST', PROFILE_URL, { body });
    setNewPassword('');
    setCurrentPassword('');
    if (data.emailPending !== undefined) setEmail(user.email);
    messages.notify(toMessage(data));
    resources.refresh(SESSIONS_URL);
    await session.load();
  }

  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        void run(save);
      }}
    >
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
        label={t('profile.newPassword')}
        help={t('profile.newPasswordHelp')}
        {...{ name: 'newPassword', type: 'password', autocomplete: 'new-password', required: false }}
        {...{ value: newPassword, error: errorOf('newPassword') }}
        onInput={setNewPassword}
      />
      <TextField
        label={t('profile.currentPassword')}
        help={t('profile.currentPasswordHelp')}
        {...{ name: 'currentPassword', type: 'password', autocomplete: 'current-password', required: needsPassword }}
        {...{ value: currentPassword, error: errorOf('currentPassword') }}
        onInput={setCurrentPassword}
      />
      <button type="submit" class="primary" aria-busy={isBusy}>
        {t('profile.submit')}
      </button>
    </form>
  );
}

function toMessage({ emailPending, tokens = [] }: Saved): string {
  if (emailPending !== undefined) return t('profile.emailPending', { email: emailPending });
  return tokens.length > 0 ? t('profile.tokensLeft', { count: tokens.length }) : t('profile.saved');
}
