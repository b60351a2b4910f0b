import { useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin } from '../../shell/admin.ts';
import { t } from '../../text/translate.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { patchUser } from './patch-user.ts';
import { changesOf, type TeamUser, type UserFields } from './team-user.ts';
import { UserForm } from './user-form.tsx';

export interface ChangeUserProps {
  user: TeamUser;
  sites: readonly string[];
  hasAllSites: boolean;
  onChanged(): void;
  onClose(): void;
}

export function ChangeUser({ user, sites, hasAllSites, onChanged, onClose }: ChangeUserProps) {
  const { request, messages } = useAdmin();
  const before: UserFields = { name: user.name, email: user.email, role: user.role, sites: user.sites };
  const [fields, setFields] = useState(before);
  const { problem, isBusy, errorOf, run } = useSubmit();

  async function undo(patch: Partial<UserFields>): Promise<void> {
    try {
      await patchUser(request, user, patch);
      messages.notify(t('team.changed', { name: user.name }));
    } catch (error) {
      messages.fail(toSentence(error));
    } finally {
      onChanged();
    }
  }

  async function save(): Promise<void> {
    const changes = changesOf(before, fields);
    if (Object.keys(changes).length > 0) {
      await patchUser(request, user, changes);
      messages.notify(t('team.changed', { name: fields.name }), () => void undo(changesOf(fields, before)));
      onChanged();
    }
    onClose();
  }

  return (
    <Dialog title={t('team.changeTitle', { name: user.name })} onClose={onClose}>
      <UserForm
        {...{ fields, sites, hasAllSites, errorOf, problem, isBusy, onClose, isLastAdmin: user.lastAdmin === true }}
        verb={t('team.save')}
        onChange={setFields}
        onSubmit={() => void run(save)}
      />
    </Dialog>
  );
}
