// The users of the team: who they are, what they may do, and what can be done about them.
import '../../text/en-settings.ts';
import { useRef, useState } from 'preact/hooks';
import { toSentence } from '../../api/sentence.ts';
import { useAdmin, useResource } from '../../shell/admin.ts';
import { NoAccess } from '../../shell/no-access.tsx';
import { Screen } from '../../shell/screen.tsx';
import { useFresh } from '../../shell/use-fresh.ts';
import { useKeys } from '../../shell/use-keys.ts';
import { t } from '../../text/translate.ts';
import { AlertDialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { Loaded } from '../../ui/states.tsx';
import { AddUser } from './add-user.tsx';
import { ChangeUser } from './change-user.tsx';
import { PasswordLink } from './password-link.tsx';
import { patchUser } from './patch-user.ts';
import { findUsers, type TeamUser, USERS_URL, type UserAction, urlOf } from './team-user.ts';
import { UserTable } from './user-table.tsx';

/** With fewer one sees them all. */
const SEARCH_FROM = 8;

export interface SignInMethods {
  /** True if links can be mailed. */
  reset: boolean;
  openId: { name: string } | null;
}

export default function Team() {
  const { session } = useAdmin();
  if (!session.may('team:manage')) return <NoAccess right={t('right.team:manage')} />;
  return <TeamScreen />;
}

type TeamDialog = { kind: 'add' } | { kind: UserAction; user: TeamUser };

function TeamScreen() {
  const { session } = useAdmin();
  const { state, refresh } = useFresh<{ users: TeamUser[]; invitesOnly?: true }>(USERS_URL);
  const methods = useResource<SignInMethods>('/api/auth/methods');
  const [open, setOpen] = useState<TeamDialog>();
  const [words, setWords] = useState('');
  const search = useRef<HTMLInputElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  // The row of a removed user goes, and the focus must not go with it.
  const act = useActions(refresh, () => addButton.current?.focus());
  useKeys({ '/': () => search.current?.focus(), n: () => setOpen({ kind: 'add' }) });
  const profile = session.state.value.kind === 'signed-in' ? session.state.value.profile : undefined;
  const ownId = profile?.user.id ?? '';
  const known = methods.state.kind === 'ready' ? methods.state.data : undefined;
  const close = (): void => setOpen(undefined);

  function choose(action: UserAction, user: TeamUser): void {
    if (action === 'resume') void act('resume', user);
    else setOpen({ kind: action, user });
  }

  return (
    <Screen heading={t('team.title')}>
      <div class="team">
        <Loaded state={state} onRetry={refresh}>
          {({ users, invitesOnly = false }) => {
            const found = findUsers(users, words);
            const own = users.find(({ id }) => id === ownId);
            const sites = profile?.sites.map(({ id }) => id) ?? [];
            return (
              <>
                <div class="library-bar">
                  {users.length >= SEARCH_FROM && (
                    <SearchField label={t('team.search')} value={words} inputRef={search} onSearch={setWords} />
                  )}
                  <button type="button" class="primary" ref={addButton} onClick={() => setOpen({ kind: 'add' })}>
                    <Icon name="plus" />
                    {t('team.add')}
                  </button>
                </div>
                {known?.openId && <p class="help">{t('team.openId', { name: known.openId.name })}</p>}
                {found.length > 0 ? (
                  <UserTable users={found} ownId={ownId} hasSites={sites.length > 1} onAction={choose} />
                ) : (
                  <div class="nothing">
                    <p>{t('team.noneFound')}</p>
                    <button
                      type="button"
                      onClick={() => {
                        setWords('');
                        search.current?.focus();
                        // A box that has the focus keeps its text.
                        if (search.current) search.current.value = '';
                      }}
                    >
                      {t('team.clear')}
                    </button>
                  </div>
                )}
                {users.length === 1 && <p class="help">{t('team.alone')}</p>}
                {open?.kind === 'add' && (
                  <AddUser
                    {...{ sites, hasMail: known?.reset ?? false, hasAllSites: own?.sites === '*', invitesOnly }}
                    onAdded={refresh}
                    onClose={close}
                  />
                )}
                {open?.kind === 'change' && (
                  <ChangeUser
                    {...{ user: open.user, sites, hasAllSites: own?.sites === '*' }}
                    onChanged={refresh}
                    onClose={close}
                  />
                )}
              </>
            );
          }}
        </Loaded>
        {open?.kind === 'link' && (
          <PasswordLink user={open.user} hasMail={known?.reset ?? false} onSent={refresh} onClose={close} />
        )}
        {open && isAsked(open.kind) && 'user' in open && (
          <AlertDialog
            title={t(`team.${open.kind}`)}
            verb={t(`team.${open.kind}`)}
            cancel={t('app.cancel')}
            onConfirm={() => {
              close();
              void act(open.kind as AskedAction, open.user);
            }}
            onClose={close}
          >
            <p>{t(`team.${open.kind}Text`, { name: open.user.name })}</p>
          </AlertDialog>
        )}
      </div>
    </Screen>
  );
}

type AskedAction = Extract<UserAction, 'codesOff' | 'signOut' | 'suspend' | 'remove'>;

function isAsked(kind: TeamDialog['kind']): kind is AskedAction {
  return kind === 'codesOff' || kind === 'signOut' || kind === 'suspend' || kind === 'remove';
}

/** Does it, and says so. */
function useActions(
  refresh: () => void,
  onRemoved: () => void,
): (action: AskedAction | 'resume', user: TeamUser) => Promise<void> {
  const { request, messages } = useAdmin();

  async function act(action: AskedAction | 'resume', user: TeamUser): Promise<void> {
    if (action === 'codesOff') await request('DELETE', urlOf(user, '/one-time-codes'));
    else if (action === 'remove') await request('DELETE', urlOf(user));
    else if (action === 'signOut') await request('DELETE', `/api/admin/sessions?user=${encodeURIComponent(user.id)}`);
    else await patchUser(request, user, { suspended: action === 'suspend' });
  }

  return async (action, user) => {
    try {
      await act(action, user);
      messages.notify(t(`team.${action}Done`, { name: user.name }));
      if (action === 'remove') onRemoved();
    } catch (error) {
      messages.fail(toSentence(error));
    } finally {
      refresh();
    }
  };
}
