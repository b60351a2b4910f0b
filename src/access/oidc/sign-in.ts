// Finds the user for a person whom the provider vouches for: the user who signed in that way before, the user with the
// verified address, or a new user with the mapped role. Nobody gets in by default.

import type { AuditActor } from '../../audit/entry.ts';
import type { InfoLogger } from '../../data/info-logger.ts';
import { forbidden, ServiceError } from '../../lib/errors.ts';
import { withoutLinks } from '../links/link.ts';
import { isWithin, permissionsOf } from '../permissions.ts';
import type { Role } from '../principal.ts';
import { emailKey, type User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import type { IdentifiedPerson } from './claims.ts';

/**
 * Accounts treat letters as equal that mail servers may tell apart, such as the Kelvin sign and `k`: the owner of one
 * mailbox need not own the other.
 */
function isSameMailbox(a: string, b: string): boolean {
  const isAscii = (text: string) => /^[\x21-\x7e]+$/.test(text);
  return a === b || (isAscii(a) && isAscii(b) && emailKey(a) === emailKey(b));
}

export interface ProviderSignIn {
  /** Returns the user to sign in. 403 if the person may not sign in. */
  login(person: IdentifiedPerson): Promise<User>;
}

export function createProviderSignIn(options: {
  users: Users;
  /** True if roles come from the provider. */
  hasRoles: boolean;
  logger: InfoLogger;
}): ProviderSignIn {
  const { users, hasRoles, logger } = options;

  /** @throws ServiceError 403 if the provider does not vouch for enough to link this account. */
  function refuseLink(user: User, role: Role | undefined): void {
    if (user.provider) throw forbidden('the account belongs to another identity at the provider');
    // With a mapping, linking must give no more than a new user would get. Without one, the provider vouches only for
    // an address.
    const isWithinRole = role !== undefined && isWithin(permissionsOf(user.role), permissionsOf(role));
    if (hasRoles ? isWithinRole : user.role !== 'admin' && !user.oneTimeCodes) return;
    throw forbidden('the account has more rights than the provider vouches for; sign in with the password');
  }

  /** Applies the role that the provider gives now. The last admin stays an admin. */
  async function withRole(user: User, role: Role | undefined, by: AuditActor): Promise<User> {
    if (role === undefined || role === user.role) return user;
    try {
      return await users.change(user.id, { role }, undefined, by);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'conflict') return user;
      throw error;
    }
  }

  async function link(user: User, { issuer, subject, email, role }: IdentifiedPerson, by: AuditActor): Promise<User> {
    return users.revise(
      user.id,
      (before) => {
        if (email === undefined || emailKey(before.email) !== emailKey(email)) {
          throw forbidden('the address of the account has changed; start again');
        }
        refuseLink(before, role);
        const { invited, ...rest } = withoutLinks(before, ['invite']);
        const isOrigin = invited === true;
        const after: User = { ...rest, provider: { issuer, subject, isOrigin } };
        return [after, after];
      },
      by,
    );
  }

  return {
    async login(person) {
      const { issuer, subject, email, name, role } = person;
      if (hasRoles && role === undefined)
        throw forbidden('the provider gives you no role here; ask the person who manages it');
      const known = users.findByProvider(issuer, subject);
      const owner = known ?? (email === undefined ? undefined : users.findByEmail(email));
      if (owner?.suspended) throw forbidden('the account is suspended');
      const by: AuditActor = { id: owner?.id ?? null, name: owner?.name ?? name, email: owner?.email ?? email ?? '' };
      if (known) return withRole(known, role, by);
      if (email === undefined) throw forbidden('the provider does not say that your e-mail address is verified');
      if (owner) {
        if (!isSameMailbox(owner.email, email))
          throw forbidden('the address looks like that of another account; sign in with the password');
        const linked = await withRole(await link(owner, person, by), role, by);
        logger.info({ userId: linked.id }, 'a user was linked to an account at the OpenID provider');
        return linked;
      }
      if (role === undefined) throw forbidden('there is no account with your address; ask for an invitation');
      const input = { email, name, role, sites: '*' as const };
      const { user } = await users.add(input, by, { provider: { issuer, subject, isOrigin: true } });
      logger.info({ userId: user.id, role }, 'a sign-in through the OpenID provider created a user');
      return user;
    },
  };
}
