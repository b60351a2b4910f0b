// The users of the team, as those with team:manage change them. Nobody gives or takes more than they hold themselves: not
// to a new user, and not by taking over a stronger one.

import type { InfoLogger } from '../../data/info-logger.ts';
import { forbidden, invalid, notFound } from '../../lib/errors.ts';
import { toAuditActor } from '../actor.ts';
import type { OneTimeCodes } from '../codes/service.ts';
import type { NewUserInput, UserPatch } from '../input.ts';
import type { InviteInput } from '../links/input.ts';
import type { MailedLinks } from '../links/mailed-links.ts';
import type { Principal, SiteRef } from '../principal.ts';
import type { SiteScope as SiteIds } from '../scope.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Ranks } from './ranks.ts';
import { emailKey, type TeamMember, type User } from './user.ts';
import type { Users } from './users.ts';
import { createVisibility } from './visible.ts';

export interface Team {
  /** Those that the principal may know of (visible.ts). */
  list(principal: Principal): { users: TeamMember[]; total: number };
  /** @throws not_found for nobody, and for somebody of other sites. */
  get(principal: Principal, id: string): User;
  /** `password` is in the answer where it was generated, and only then. */
  add(principal: Principal, input: NewUserInput): Promise<TeamMember & { password?: string }>;
  /** A user who sets the password by a link; `inviteUrl` is in the answer if it could not be mailed. */
  invite(
    principal: Principal,
    input: InviteInput,
    base: string | undefined,
  ): Promise<TeamMember & { inviteUrl?: string }>;
  change(principal: Principal, id: string, patch: UserPatch): Promise<TeamMember>;
  /** Takes a user's one-time codes away, for whoever has lost phone and recovery codes. */
  removeCodes(principal: Principal, id: string): Promise<void>;
  /** Takes the user's access tokens along. */
  remove(principal: Principal, id: string): Promise<void>;
}

export function createTeam(options: {
  users: Users;
  tokens: Tokens;
  links: MailedLinks;
  codes: OneTimeCodes;
  ranks: Ranks;
  listSites: () => SiteRef[];
  logger: InfoLogger;
}): Team {
  const { users, tokens, links, codes, listSites, logger } = options;
  const { refuseStronger } = options.ranks;
  const { isVisible, show } = createVisibility(listSites);

  /** A slip of the pen would keep somebody out without a word. */
  function refuseUnknownSites(wanted: SiteIds): void {
    if (wanted === '*') return;
    const known = new Set(listSites().map(({ id }) => id));
    const problems = wanted.flatMap((id, index) =>
      known.has(id) ? [] : [{ path: `sites.${index}`, message: `there is no site ${id}` }],
    );
    if (problems.length > 0) throw invalid(problems);
  }

  /** One's own e-mail and password change in the profile, with the present password. */
  function refuseOwnCredentials(principal: Principal, user: User, patch: UserPatch): void {
    const isMoved = patch.email !== undefined && emailKey(patch.email) !== emailKey(user.email);
    if (user.id === principal.userId && (isMoved || patch.password !== undefined)) {
      throw forbidden('your own e-mail and password change in the profile, with the present password');
    }
  }

  return {
    list(principal) {
      const members = users.list().flatMap((user) => (isVisible(principal, user) ? [show(principal, user)] : []));
      return { users: members, total: members.length };
    },

    get(principal, id) {
      const user = users.find(id);
      if (!user || !isVisible(principal, user)) throw notFound(`user ${id}`);
      return user;
    },

    async add(principal, input) {
      refuseStronger(principal, input);
      refuseUnknownSites(input.sites);
      const { user, password } = await users.add(input, toAuditActor(principal));
      logger.info({ by: principal.userId, userId: user.id, role: user.role }, 'a user was added');
      return password === undefined ? show(principal, user) : { ...show(principal, user), password };
    },

    async invite(principal, { name, ...input }, base) {
      const by = toAuditActor(principal);
      refuseStronger(principal, input);
      refuseUnknownSites(input.sites);
      const { user, url } = await links.invite(
        { ...input, name: name ?? input.email.split('@')[0] ?? input.email },
        { guard: (before) => refuseStronger(principal, before), by, base },
      );
      logger.info({ by: principal.userId, userId: user.id, role: user.role }, 'a user was invited');
      return { ...show(principal, user), ...(url === undefined ? {} : { inviteUrl: url }) };
    },

    async removeCodes(principal, id) {
      const guard = (user: User): void => {
        refuseStronger(principal, user);
        if (user.id === principal.userId) throw forbidden('your own codes are turned off in the profile');
      };
      await codes.remove(id, guard, toAuditActor(principal));
      logger.info({ by: principal.userId, userId: id }, 'the one-time codes of a user were taken away');
    },

    async change(principal, id, patch) {
      const user = await users.change(
        id,
        patch,
        (before, after) => {
          refuseStronger(principal, before);
          refuseStronger(principal, after);
          refuseOwnCredentials(principal, before, patch);
          refuseUnknownSites(patch.sites ?? '*');
        },
        toAuditActor(principal),
      );
      // They open nothing any more; this only tidies up.
      if (patch.password !== undefined || patch.suspended) await tokens.removeAll(id, toAuditActor(principal));
      logger.info({ by: principal.userId, userId: id, fields: Object.keys(patch) }, 'a user was changed');
      return show(principal, user);
    },

    async remove(principal, id) {
      const by = toAuditActor(principal);
      await users.remove(id, (user) => refuseStronger(principal, user), by);
      // Without their owner they open nothing any more; this only tidies up.
      await tokens.removeAll(id, by);
      logger.info({ by: principal.userId, userId: id }, 'a user was removed');
    },
  };
}
