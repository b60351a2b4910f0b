// What users may change about themselves. E-mail and password only with the present password (decisions.md, section 6),
// so that a borrowed browser or a stolen cookie cannot take the account over. A new address becomes somebody's by a link
// that is mailed there (section 12), so that nobody signs their work with another's; who manages the team says it for
// everybody, and so for themselves.

import type { InfoLogger } from '../../data/info-logger.ts';
import { forbidden, invalid, unauthenticated } from '../../lib/errors.ts';
import type { CodeState, OneTimeCodes } from '../codes/service.ts';
import type { ProfileInput } from '../input.ts';
import { heldBy, permissionsOf } from '../permissions.ts';
import type { Permission } from '../principal.ts';
import type { Client } from '../sessions/session.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import type { Sites } from '../sites/sites.ts';
import type { TokenGoingOn } from '../tokens/token.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { emailKey, mayTouchSite, type ShownUser, toShownUser, type User } from './user.ts';
import type { Users } from './users.ts';

/** A user's own page: who they are, where they are, and what is open to them. */
export interface Profile {
  user: ShownUser;
  lastActiveOrg: string | null;
  lastActiveSite: string | null;
  permissions: Permission[];
  sites: { id: string; org: string }[];
  oneTimeCodes: CodeState;
}

/** Mails a link to an address that makes it the user's. */
export type MailLink = (user: User, email: string) => Promise<void>;

export interface ProfileUpdated {
  profile: Profile;
  /** The cookie's value for the session to go on with. */
  cookie: string;
  /** After a new password: the access tokens that go on. */
  tokens?: TokenGoingOn[];
  /** The address that was mailed a link, and becomes the user's by it. */
  emailPending?: string;
}

export interface Profiles {
  get(user: User): Profile;
  /**
   * A new password ends every other session. `mailLink` is undefined where mail is not set up: then a new e-mail address
   * is 403 for who does not manage the team.
   */
  update(session: Session, input: ProfileInput, client: Client, mailLink?: MailLink): Promise<ProfileUpdated>;
}

export function createProfiles(options: {
  users: Users;
  sessions: Sessions;
  tokens: Tokens;
  signIn: SignIn;
  sites: Sites;
  codes: OneTimeCodes;
  logger: InfoLogger;
}): Profiles {
  const { users, sessions, tokens, signIn, sites, codes, logger } = options;

  function get(user: User): Profile {
    return {
      user: toShownUser(user),
      lastActiveOrg: user.lastActiveOrg,
      lastActiveSite: user.lastActiveSite,
      permissions: codes.isOwed(user) ? [] : [...permissionsOf(user.role)],
      sites: sites
        .list()
        .filter(({ id }) => mayTouchSite(user, id))
        .map(({ id, org }) => ({ id, org })),
      oneTimeCodes: codes.show(user),
    };
  }

  function refuseForeignSite(user: User, siteId: string): void {
    if (!sites.find(siteId)) throw invalid([{ path: 'lastActiveSite', message: 'is not a site' }]);
    if (!mayTouchSite(user, siteId)) throw forbidden(`the site ${siteId} is not yours to touch`);
  }

  /** E-mail and password need the present password; one that is given is checked in any case. */
  async function confirm(user: User, input: ProfileInput, client: Client): Promise<void> {
    const isNeeded = isMoved(user, input.email) || input.newPassword !== undefined;
    if (!input.currentPassword) {
      if (isNeeded) throw invalid([{ path: 'currentPassword', message: 'is needed to change e-mail or password' }]);
      return;
    }
    if (await signIn.confirm(user, input.currentPassword, client)) return;
    logger.info({ ip: client.address, userId: user.id }, 'a present password was wrong');
    throw invalid([{ path: 'currentPassword', message: 'is wrong' }]);
  }

  return {
    get,
    async update(session, input, client, mailLink) {
      const { user } = session;
      const mayManage = heldBy(user.role).has('team:manage') && !codes.isOwed(user);
      const isByLink = isMoved(user, input.email) && !mayManage;
      if (isByLink && !mailLink) {
        throw forbidden('your e-mail address is changed by somebody who manages the team; ask them to');
      }
      if (isByLink && input.newPassword !== undefined) {
        throw invalid([
          { path: 'email', message: 'is set by a link, which a new password ends; change one of them first' },
        ]);
      }
      if (input.lastActiveSite) refuseForeignSite(user, input.lastActiveSite);
      await confirm(user, input, client);
      const { currentPassword: _, newPassword, email, ...rest } = input;
      if (isByLink && email !== undefined) await mailLink?.(user, email);
      const changed = await users.change(
        user.id,
        { ...rest, email: isByLink ? undefined : email, password: newPassword, keepsTokens: true },
        (before) => {
          // Another session changed the password meanwhile, which ended this one: it must not get a fresh cookie.
          if (before.epoch !== user.epoch) throw unauthenticated('the session has ended, sign in again');
        },
        { id: user.id, name: user.name, email: user.email },
      );
      if (newPassword !== undefined)
        logger.info({ ip: client.address, userId: user.id }, 'a user changed their password');
      const cookie = newPassword === undefined ? sessions.renew(session) : await sessions.begin(changed, client);
      return {
        profile: get(changed),
        cookie,
        ...(isByLink && email !== undefined ? { emailPending: email } : {}),
        ...(newPassword === undefined ? {} : { tokens: tokens.listGoingOn(changed) }),
      };
    },
  };
}

/** Another case or Unicode form is the same address. */
/** Whether a change has an entry in the audit; where somebody was last, and how large they like their letters, has none. */
export function isAudited(user: User, { name, email, newPassword }: ProfileInput): boolean {
  return (name !== undefined && name !== user.name) || isMoved(user, email) || newPassword !== undefined;
}

function isMoved(user: User, email: string | undefined): boolean {
  return email !== undefined && emailKey(email) !== emailKey(user.email);
}
