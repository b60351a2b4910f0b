// The team's users, as people with team:manage add, change and remove them. Nobody gains rights that way: neither by
// adding a user with more rights, nor by taking over one.

import type { InfoLogger } from '../../data/info-logger.ts';
import { conflict, forbidden, invalid, notFound, ServiceError } from '../../lib/errors.ts';
import type { News } from '../../lib/queues/news.ts';
import { toAuditActor } from '../actor.ts';
import type { OneTimeCodes } from '../codes/service.ts';
import type { NewUserInput, UserPatch } from '../input.ts';
import type { InviteInput } from '../links/input.ts';
import type { MailedLinks } from '../links/mailed-links.ts';
import type { Principal, SiteRef } from '../principal.ts';
import type { SiteScope as SiteIds } from '../scope.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Tokens } from '../tokens/tokens.ts';
import type { Ranks } from './ranks.ts';
import { emailKey, type TeamMember, type User } from './user.ts';
import type { UserNews } from './user-news.ts';
import type { Users } from './users.ts';
import { createVisibility, type Visibility } from './visible.ts';

/** A user, and what the principal who asks may do about it. */
export interface ManagedMember extends TeamMember {
  /** When a session of the user was last used; null if no use is known, or if the user has more rights. */
  lastSeenAt: string | null;
  /** True if a session is open; false if the user has more rights. */
  signedIn: boolean;
  /** False if the user has more rights than the principal. */
  manageable: boolean;
  /** True if the user cannot be removed, suspended or given fewer rights. */
  lastAdmin?: true;
}

export interface Team {
  /**
   * The users that the principal may see (visible.ts). `invitesOnly` if there are others: then the principal adds
   * people by mailed invitations alone, which reveal nothing of the others' accounts.
   */
  list(principal: Principal): { users: ManagedMember[]; total: number; invitesOnly?: true };
  /** @throws not_found if there is no such user, or the principal may not see them. */
  get(principal: Principal, id: string): User;
  /** Returns `password` only if it was generated. 403 for `invitesOnly`. */
  add(principal: Principal, input: NewUserInput): Promise<ManagedMember & { password?: string }>;
  /**
   * Adds a user who sets the password by a mailed link; returns `inviteUrl` if the link could not be mailed, which is
   * 503 for `invitesOnly`.
   */
  invite(
    principal: Principal,
    input: InviteInput,
    base: string | undefined,
  ): Promise<ManagedMember & { inviteUrl?: string }>;
  change(principal: Principal, id: string, patch: UserPatch): Promise<ManagedMember>;
  /**
   * Mails the user a link that sets a new password, or returns it as `url` if mail is not set up. For an invited user
   * it is a new invitation. 409 if the link would not work.
   */
  sendPasswordLink(principal: Principal, id: string, base: string | undefined): Promise<{ url?: string }>;
  /** Turns off one-time codes for a user who has lost phone and recovery codes. */
  removeCodes(principal: Principal, id: string): Promise<void>;
  /** Also removes the user's access tokens. */
  remove(principal: Principal, id: string): Promise<void>;
  /**
   * Calls the listener with each change of a user, and each session that begins or ends, if the principal of that moment
   * may see the user; returns the function that stops it.
   */
  listen(principalNow: () => Principal | undefined, listener: (news: { id: string }) => void): () => void;
}

/** True for an invitation to other sites: an admin of all sites must not take it from those who sent it. */
function isOfOthers(principal: Principal, user: User, sites: SiteIds): boolean {
  if (!principal.allSites || !user.invited) return false;
  const keyOf = (scope: SiteIds): string => (scope === '*' ? scope : JSON.stringify([...scope].sort()));
  return keyOf(user.sites) !== keyOf(sites);
}

/** Users change their own e-mail and password in the profile, with the current password. */
function refuseOwnCredentials(principal: Principal, user: User, patch: UserPatch): void {
  const isMoved = patch.email !== undefined && emailKey(patch.email) !== emailKey(user.email);
  if (user.id === principal.userId && (isMoved || patch.password !== undefined)) {
    throw forbidden('change your own e-mail and password in the profile, with the current password');
  }
}

/** To those who may see the user as it was, or as it is. */
function listenTo(news: Pick<News<UserNews>, 'listen'>, isVisible: Visibility['isVisible']): Team['listen'] {
  return (principalNow, listener) =>
    news.listen(({ before, after }) => {
      const principal = principalNow();
      const known = [before, after].filter((user) => user !== undefined);
      if (principal && known[0] && known.some((user) => isVisible(principal, user))) listener({ id: known[0].id });
    });
}

/** No link sets a password for these users. */
function refuseDeadLink(user: User): void {
  if (user.suspended) throw conflict('the user is suspended: no link would work');
  if (user.provider?.isOrigin) throw conflict('the user signs in through the OpenID provider');
}

interface Admission {
  /** False if there are users whom the principal does not see. */
  seesAll(principal: Principal): boolean;
  /** 403 unless the principal sees all users: the answer would show whether an address has an account elsewhere. */
  refuseBlind(principal: Principal, what: string): void;
  /** The same for a change of an account or an invitation. */
  refuseBlindChange(principal: Principal, before: User, after: User): void;
  /** 503 if the same person would get a link to hand over. */
  needMail(principal: Principal, base: string | undefined): void;
  /** 400 for a mistyped site id, which would silently keep the user out. */
  refuseUnknownSites(wanted: SiteIds): void;
}

function createAdmission({
  users,
  links,
  isVisible,
  listSites,
}: {
  users: Pick<Users, 'list'>;
  links: Pick<MailedLinks, 'maySend'>;
  isVisible: Visibility['isVisible'];
  listSites: () => SiteRef[];
}): Admission {
  const seesAll = (principal: Principal): boolean =>
    principal.allSites === true || users.list().every((user) => isVisible(principal, user));

  function refuseBlind(principal: Principal, what: string): void {
    if (!seesAll(principal)) throw forbidden(`only an admin of all sites ${what}; invite the person instead`);
  }

  function refuseBlindChange(principal: Principal, before: User, after: User): void {
    if (before.invited && !after.invited) refuseBlind(principal, 'sets the first password');
    if (!before.invited && emailKey(after.email) !== emailKey(before.email))
      refuseBlind(principal, 'changes the address of an account');
  }

  function needMail(principal: Principal, base: string | undefined): void {
    if (base === undefined || links.maySend(base) || seesAll(principal)) return;
    throw new ServiceError(
      'unavailable',
      'an admin of some sites invites by mail alone, which is not set up here (SMTP_URL or RESEND_API_KEY); ask an admin of all sites to add the person',
    );
  }

  function refuseUnknownSites(wanted: SiteIds): void {
    if (wanted === '*') return;
    const known = new Set(listSites().map(({ id }) => id));
    const problems = wanted.flatMap((id, index) =>
      known.has(id) ? [] : [{ path: `sites.${index}`, message: `there is no site "${id}"` }],
    );
    if (problems.length > 0) throw invalid(problems);
  }

  return { seesAll, refuseBlind, refuseBlindChange, needMail, refuseUnknownSites };
}

function createShow(parts: {
  users: Pick<Users, 'isLastAdmin'>;
  sessions: Pick<Sessions, 'usesByUser'>;
  ranks: Pick<Ranks, 'mayManage'>;
  showMember: Visibility['show'];
}) {
  const { users, sessions, ranks, showMember } = parts;
  return (principal: Principal, user: User, uses = sessions.usesByUser()): ManagedMember => {
    const manageable = ranks.mayManage(principal, user);
    const use = manageable ? uses.get(user.id) : undefined;
    return {
      ...showMember(principal, user),
      lastSeenAt: use?.lastSeenAt ?? null,
      signedIn: use?.isOpen ?? false,
      manageable,
      ...(users.isLastAdmin(user.id) ? { lastAdmin: true } : {}),
    };
  };
}

export function createTeam(options: {
  users: Users;
  news: Pick<News<UserNews>, 'listen'>;
  tokens: Tokens;
  links: MailedLinks;
  codes: OneTimeCodes;
  ranks: Ranks;
  sessions: Pick<Sessions, 'usesByUser'>;
  listSites: () => SiteRef[];
  logger: InfoLogger;
}): Team {
  const { users, news, tokens, links, codes, sessions, listSites, logger } = options;
  const { refuseStronger } = options.ranks;
  const { isVisible, show: showMember } = createVisibility(listSites);
  const admission = createAdmission({ ...options, isVisible });
  const show = createShow({ ...options, showMember });

  return {
    list(principal) {
      const uses = sessions.usesByUser();
      const members = users.list().flatMap((user) => (isVisible(principal, user) ? [show(principal, user, uses)] : []));
      return {
        users: members,
        total: members.length,
        ...(admission.seesAll(principal) ? {} : { invitesOnly: true as const }),
      };
    },

    get(principal, id) {
      const user = users.find(id);
      if (!user || !isVisible(principal, user)) throw notFound(`user "${id}"`);
      return user;
    },

    async add(principal, input) {
      refuseStronger(principal, input);
      admission.refuseUnknownSites(input.sites);
      admission.refuseBlind(principal, 'makes an account with a password');
      const { user, password } = await users.add(input, toAuditActor(principal));
      logger.info({ by: principal.userId, userId: user.id, role: user.role }, 'a user was added');
      return password === undefined ? show(principal, user) : { ...show(principal, user), password };
    },

    async invite(principal, { name, ...input }, base) {
      const by = toAuditActor(principal);
      refuseStronger(principal, input);
      admission.refuseUnknownSites(input.sites);
      admission.needMail(principal, base);
      const { user, url } = await links.invite(
        { ...input, name: name ?? input.email.split('@')[0] ?? input.email },
        {
          guard: (before) => refuseStronger(principal, before),
          sees: (other) => isVisible(principal, other) && !isOfOthers(principal, other, input.sites),
          by,
          base,
        },
      );
      logger.info({ by: principal.userId, userId: user.id, role: user.role }, 'a user was invited');
      return { ...show(principal, user), ...(url === undefined ? {} : { inviteUrl: url }) };
    },

    async removeCodes(principal, id) {
      const guard = (user: User): void => {
        refuseStronger(principal, user);
        if (user.id === principal.userId) throw forbidden('turn off your own codes in the profile');
      };
      await codes.remove(id, guard, toAuditActor(principal));
      logger.info({ by: principal.userId, userId: id }, 'one-time codes of a user were turned off');
    },

    async change(principal, id, patch) {
      const user = await users.change(
        id,
        patch,
        (before, after) => {
          refuseStronger(principal, before);
          refuseStronger(principal, after);
          refuseOwnCredentials(principal, before, patch);
          admission.refuseBlindChange(principal, before, after);
          admission.refuseUnknownSites(patch.sites ?? '*');
        },
        toAuditActor(principal),
      );
      // The tokens have ended already; this only cleans up.
      if (patch.password !== undefined || patch.suspended) await tokens.removeAll(id, toAuditActor(principal));
      logger.info({ by: principal.userId, userId: id, fields: Object.keys(patch) }, 'a user was changed');
      return show(principal, user);
    },

    async sendPasswordLink(principal, id, base) {
      const guard = (user: User): void => {
        refuseStronger(principal, user);
        if (user.id === principal.userId) throw forbidden('change your own password in the profile');
        refuseDeadLink(user);
        if (user.invited) admission.needMail(principal, base);
      };
      const url = await links.sendPasswordLink(id, { guard, by: toAuditActor(principal), base });
      logger.info({ by: principal.userId, userId: id }, 'a link to set a password was made');
      return url === undefined ? {} : { url };
    },

    async remove(principal, id) {
      const by = toAuditActor(principal);
      await users.remove(id, (user) => refuseStronger(principal, user), by);
      // Tokens end with their owner; this only cleans up.
      await tokens.removeAll(id, by);
      logger.info({ by: principal.userId, userId: id }, 'a user was removed');
    },

    listen: listenTo(news, isVisible),
  };
}
