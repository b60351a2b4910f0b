// What the audit records of changed accounts, and of what people do not see of them: links, codes, the provider's account.
// Pure.
import type { AuditChange } from '../../audit/entry.ts';
import { joinSites, toHomes } from '../audit-homes.ts';
import { type AuditedChange, tellChanges } from '../audited-file.ts';
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

/** For the audit. Where somebody was last, and how large they like their letters, is not for it. */
export function reportUsers(before: UsersFile, after: UsersFile): AuditedChange[] {
  const keys = ['email', 'name', 'role', 'sites', 'suspended'] as const;
  const told = tellChanges('user', before.users, after.users, keys, accountChanges);
  if (told.length === 0) return [];
  const [old, fresh] = [before, after].map(({ users }) => new Map(users.map(({ id, sites }) => [id, sites])));
  return told.flatMap((one) => toHomes(one, joinSites(old?.get(one.target), fresh?.get(one.target))));
}
