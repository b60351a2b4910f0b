// What the audit records of changed accounts, including parts that no page shows: links, codes, the account at the
// provider. Pure.
import type { AuditChange } from '../../audit/entry.ts';
import { joinSites, toHomes } from '../audit-homes.ts';
import { type AuditedChange, listChanges } from '../audited-file.ts';
import { codeChanges } from '../codes/one-time-codes.ts';
import { linkChanges } from '../links/link.ts';
import { providerChanges } from '../oidc/provider-account.ts';
import type { User, UsersFile } from './user.ts';

export function accountChanges(before: User, after: User): AuditChange[] {
  return [
    ...(before.passwordHash === after.passwordHash ? [] : [{ key: 'password', before: 'set', after: 'changed' }]),
    ...linkChanges(before, after),
    ...codeChanges(before.oneTimeCodes, after.oneTimeCodes),
    ...providerChanges(before.provider, after.provider),
  ];
}

/** For the audit, which does not record the user's last site and zoom. */
export function reportUsers(before: UsersFile, after: UsersFile): AuditedChange[] {
  const keys = ['email', 'name', 'role', 'sites', 'suspended'] as const;
  const changes = listChanges('user', before.users, after.users, keys, accountChanges);
  if (changes.length === 0) return [];
  const [old, fresh] = [before, after].map(({ users }) => new Map(users.map(({ id, sites }) => [id, sites])));
  return changes.flatMap((one) => toHomes(one, joinSites(old?.get(one.target), fresh?.get(one.target))));
}
