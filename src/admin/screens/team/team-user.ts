// A user of the team, and what can be done about one. Pure.
import type { Answer } from '../../api/answer.ts';
import { LANGUAGE, lazily } from '../../text/reader.ts';

export type TeamUser = Answer<'/api/admin/users'>['users'][number];
export type TeamRole = TeamUser['role'];

export const ROLES: readonly TeamRole[] = ['admin', 'editor', 'author', 'viewer'];
export const USERS_URL = '/api/admin/users';

export type UserAction = 'change' | 'link' | 'codesOff' | 'signOut' | 'suspend' | 'resume' | 'remove';

/** In the order of a menu. `ownId` is the user who looks: one changes oneself in the account. */
export function actionsFor(user: TeamUser, ownId: string): UserAction[] {
  if (!user.manageable || user.id === ownId) return [];
  const mayGo = user.lastAdmin !== true;
  return [
    'change',
    ...(user.suspended || user.provider ? [] : (['link'] as const)),
    ...(user.oneTimeCodes ? (['codesOff'] as const) : []),
    ...(user.signedIn ? (['signOut'] as const) : []),
    ...(user.suspended ? (['resume'] as const) : []),
    ...(mayGo && !user.suspended ? (['suspend'] as const) : []),
    ...(mayGo ? (['remove'] as const) : []),
  ];
}

export function urlOf({ id }: Pick<TeamUser, 'id'>, more = ''): string {
  return `${USERS_URL}/${encodeURIComponent(id)}${more}`;
}

export function stateOf({ suspended, invited }: TeamUser): 'suspended' | 'invited' | 'active' {
  return suspended ? 'suspended' : invited ? 'invited' : 'active';
}

const order = lazily(() => new Intl.Collator(LANGUAGE));

/** By name, those who fit the words. */
export function findUsers(users: readonly TeamUser[], words: string): TeamUser[] {
  const wanted = words.trim().toLowerCase();
  return users
    .filter(({ name, email }) => `${name} ${email}`.toLowerCase().includes(wanted))
    .sort((a, b) => order().compare(a.name, b.name));
}

export interface UserFields {
  name: string;
  email: string;
  role: TeamRole;
  sites: '*' | readonly string[];
}

/** What of the fields is new, for a PATCH. */
export function changesOf(user: UserFields, fields: UserFields): Partial<UserFields> {
  const isSame = (key: keyof UserFields): boolean => JSON.stringify(user[key]) === JSON.stringify(fields[key]);
  const keys = (['name', 'email', 'role', 'sites'] as const).filter((key) => !isSame(key));
  return Object.fromEntries(keys.map((key) => [key, fields[key]]));
}
