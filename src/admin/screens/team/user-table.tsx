import { Time } from '../../shell/time.tsx';
import { t } from '../../text/translate.ts';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { TableHead } from '../../ui/table-head.tsx';
import { actionsFor, stateOf, type TeamUser, type UserAction } from './team-user.ts';

export interface UserTableProps {
  users: readonly TeamUser[];
  ownId: string;
  /** True if the service has several sites. */
  hasSites: boolean;
  onAction(action: UserAction, user: TeamUser): void;
}

export function UserTable({ users, ownId, hasSites, onAction }: UserTableProps) {
  return (
    <table class="row-table" aria-label={t('team.users')}>
      <TableHead
        columns={[t('team.name'), t('team.role'), t('team.codes'), t('team.lastSeen'), t('team.state')]}
        actions={t('team.actions')}
      />
      <tbody>
        {users.map((user) => (
          <UserRow key={user.id} {...{ user, ownId, hasSites, onAction }} />
        ))}
      </tbody>
    </table>
  );
}

interface UserRowProps extends Omit<UserTableProps, 'users'> {
  user: TeamUser;
}

function UserRow({ user, ownId, hasSites, onAction }: UserRowProps) {
  const state = stateOf(user);
  const actions = actionsFor(user, ownId);
  return (
    <tr class={user.suspended ? 'is-faint' : ''}>
      <th scope="row">
        <bdi class="row-table-name">{user.name}</bdi>
        {user.id === ownId && <span class="mark">{t('team.you')}</span>}
        <span class="help">
          <bdi>{user.email}</bdi>
        </span>
        {hasSites && (
          <span class="help">
            {user.sites === '*' ? t('team.allSites') : user.sites.join(', ') || t('team.noSite')}
          </span>
        )}
      </th>
      <td data-label={t('team.role')}>{t(`role.${user.role}`)}</td>
      <td data-label={t('team.codes')}>
        {user.provider ? t('team.byProvider') : t(user.oneTimeCodes ? 'team.codesOn' : 'team.codesOffState')}
      </td>
      <td data-label={t('team.lastSeen')}>
        {user.lastSeenAt === null ? (
          <span class="help">{t(user.manageable ? 'team.notSeen' : 'team.unknown')}</span>
        ) : (
          <Time at={user.lastSeenAt} />
        )}
      </td>
      <td data-label={t('team.state')}>
        <span class={`state-dot dot-${state}`}>{t(`team.is.${state}`)}</span>
        {user.lastAdmin && <span class="help">{t('team.lastAdmin')}</span>}
        {!user.manageable && <span class="help">{t('team.stronger')}</span>}
      </td>
      <td class="row-table-actions">
        {user.id === ownId && <a href="/admin/account">{t('account.title')}</a>}
        {actions.length > 0 && (
          <Menu
            label={t('team.actionsFor', { name: user.name })}
            entries={actions.map((action) => ({
              kind: 'item',
              label: t(action === 'link' && user.invited ? 'team.inviteAgain' : `team.${action}`),
              onSelect: () => onAction(action, user),
            }))}
          >
            <Icon name="more" />
          </Menu>
        )}
      </td>
    </tr>
  );
}
