// A new user: with a password that is set here, or by a link with which the user chooses one.
import { useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { LinkToHandOver } from './password-link.tsx';
import { USERS_URL, type UserFields } from './team-user.ts';
import { UserForm } from './user-form.tsx';

export interface AddUserProps {
  sites: readonly string[];
  hasAllSites: boolean;
  /** True if an invitation is mailed. */
  hasMail: boolean;
  /** True if no password can be set here. */
  invitesOnly: boolean;
  onAdded(): void;
  onClose(): void;
}

export function AddUser({ sites, hasAllSites, hasMail, invitesOnly, onAdded, onClose }: AddUserProps) {
  const { request, messages } = useAdmin();
  const [fields, setFields] = useState<UserFields>({
    ...{ name: '', email: '', role: 'editor' },
    sites: hasAllSites ? '*' : sites,
  });
  const [password, setPassword] = useState('');
  const [link, setLink] = useState<string>();
  const { problem, isBusy, errorOf, run } = useSubmit();

  async function add(): Promise<void> {
    const { name, email } = fields;
    if (password !== '') {
      await request('POST', USERS_URL, { body: { ...fields, password } });
      messages.notify(t('team.added', { name }));
    } else {
      const { data } = await request<{ inviteUrl?: string }>('POST', `${USERS_URL}/invite`, { body: fields });
      if (data.inviteUrl === undefined) messages.notify(t('team.invited', { name, email }));
      else setLink(data.inviteUrl);
      if (data.inviteUrl !== undefined) return onAdded();
    }
    onAdded();
    onClose();
  }

  // With the link on the screen it does not close by accident: nobody can show it again.
  return (
    <Dialog title={t('team.add')} onClose={link === undefined ? onClose : undefined}>
      {link !== undefined ? (
        <LinkToHandOver url={link} name={fields.name} isInvitation onClose={onClose} />
      ) : (
        <UserForm
          {...{ fields, sites, hasAllSites, errorOf, problem, isBusy, onClose }}
          verb={t('team.add')}
          onChange={setFields}
          onSubmit={() => void run(add)}
        >
          {invitesOnly ? (
            <p class="help">{t('team.byMailOnly')}</p>
          ) : (
            <TextField
              label={t('login.password')}
              help={t(hasMail ? 'team.passwordOrMail' : 'team.passwordOrLink')}
              {...{ name: 'new-password', type: 'password', autocomplete: 'new-password', required: false }}
              {...{ value: password, error: errorOf('password') }}
              onInput={setPassword}
            />
          )}
        </UserForm>
      )}
    </Dialog>
  );
}
