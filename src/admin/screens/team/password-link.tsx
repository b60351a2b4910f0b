// A link with which a user sets a new password: mailed, or shown once to be handed over.
import { useState } from 'preact/hooks';
import { useAdmin } from '../../shell/admin.ts';
import { useCopied } from '../../shell/use-copied.ts';
import { t } from '../../text/translate.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { type TeamUser, urlOf } from './team-user.ts';

export interface PasswordLinkProps {
  user: TeamUser;
  hasMail: boolean;
  onSent(): void;
  onClose(): void;
}

export function PasswordLink({ user, hasMail, onSent, onClose }: PasswordLinkProps) {
  const { request, messages } = useAdmin();
  const [link, setLink] = useState<string>();
  const { problem, isBusy, run } = useSubmit();
  const isInvitation = user.invited === true;

  async function send(): Promise<void> {
    const { data } = await request<{ url?: string }>('POST', urlOf(user, '/password-link'));
    onSent();
    if (data.url !== undefined) return setLink(data.url);
    messages.notify(t('team.linkSent', { email: user.email }));
    onClose();
  }

  return (
    <Dialog
      title={t(isInvitation ? 'team.inviteAgain' : 'team.link')}
      onClose={link === undefined ? onClose : undefined}
    >
      {link !== undefined ? (
        <LinkToHandOver url={link} name={user.name} isInvitation={isInvitation} onClose={onClose} />
      ) : (
        <>
          {problem && (
            <div class="problem" role="alert">
              {problem}
            </div>
          )}
          <p>
            {t(hasMail ? 'team.linkByMail' : 'team.linkByHand', { name: user.name, email: user.email })}{' '}
            {t(isInvitation ? 'team.inviteDays' : 'team.linkMinutes')}
          </p>
          <div class="buttons">
            <button type="button" class="primary" aria-busy={isBusy} onClick={() => void run(send)}>
              {t(hasMail ? 'team.sendLink' : 'team.makeLink')}
            </button>
            <button type="button" onClick={onClose}>
              {t('app.cancel')}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

export interface LinkToHandOverProps {
  url: string;
  name: string;
  isInvitation: boolean;
  onClose(): void;
}

export function LinkToHandOver({ url, name, isInvitation, onClose }: LinkToHandOverProps) {
  const onCopy = useCopied();
  return (
    <>
      <p role="status">{t('team.handOver', { name })}</p>
      <CopyField
        label={t(isInvitation ? 'team.inviteLink' : 'team.passwordLink')}
        value={url}
        verb={t('team.copyLink')}
        help={`${t(isInvitation ? 'team.inviteDays' : 'team.linkMinutes')} ${t('tokens.once')}`}
        hasFocus
        onCopy={onCopy}
      />
      <div class="buttons">
        <button type="button" class="primary" onClick={onClose}>
          {t('tokens.done')}
        </button>
      </div>
    </>
  );
}
