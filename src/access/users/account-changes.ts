// What the audit is told of an account's record that people do not see: links, codes, the provider's account. Pure.
import type { Change } from '../../audit/entry.ts';
import { codeChanges } from '../codes/one-time-codes.ts';
import { linkChanges } from '../links/link.ts';
import { providerChanges } from '../oidc/provider-account.ts';
import type { User } from './user.ts';

export function accountChanges(before: User, after: User): Change[] {
  return [
    ...(before.passwordHash === after.passwordHash ? [] : [{ key: 'password', before: 'set', after: 'changed' }]),
    ...linkChanges(before, after),
    ...codeChanges(before.oneTimeCodes, after.oneTimeCodes),
    ...providerChanges(before.provider, after.provider),
  ];
}
