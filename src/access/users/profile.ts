// What users may change about themselves. E-mail and password need the current password (decisions.md, section 6), so
// that a borrowed browser or a stolen cookie is not enough to take over the account. A new address takes effect by a
// link that is mailed to it (section 12), so that users cannot sign their work with another person's address. People
// who manage the team may set any user's address, and so their own, unless there are users whom they do not see.

import type { InfoLogger } from '../../data/info-logger.ts';
import { isEqual } from '../../lib/equal.ts';
import { forbidden, invalid, unauthenticated } from '../../lib/errors.ts';
import type { CodeState, OneTimeCodes } from '../codes/service.ts';
import { MAX_PREFERENCES_BYTES, type ProfileInput } from '../input.ts';
import { heldBy, permissionsOf } from '../permissions.ts';
import type { Permission } from '../principal.ts';
import type { Client } from '../sessions/session.ts';
import type { Session, Sessions } from '../sessions/sessions.ts';
import type { SignIn } from '../sessions/sign-in.ts';
import type { Sites } from '../sites/sites.ts';
import type { RemainingToken } from '../tokens/token.ts';
import type { Tokens } from '../tokens/tokens.ts';
import { emailKey, mayTouchSite, type ShownUser, sharesSite, toShownUser, type User } from './user.ts';
import type { Users } from './users.ts';

/** A user's own page: their account, last site, permissions and sites. */
export interface Profile {
  user: ShownUser;
  lastActiveOrg: string | null;
  lastActiveSite: string | null;
  permissions: Permission[];
  sites: { id: string; org: string }[];
  allSites: boolean;
  oneTimeCodes: CodeState;
  preferences: Record<string, unknown>;
}

/** Mails a link to a new address; using it makes the address the user's. */
export type MailLink = (user: User, email: string) => Promise<void>;

export interface ProfileUpdated {
  profile: Profile;
  /** The session's new cookie value. */
  cookie: string;
  /** After a new password: the access tokens that remain valid. */
  tokens?: RemainingToken[];
  /** The new address, which takes effect when the link that was mailed to it is used. */
  emailPending?: string;
}

export interface Profiles {
  get(user: User): Profile;
  /**
   * A new password ends every other session. `mailLink` is undefined if mail is not set up: then a new e-mail address
   * is 403 for users who do not manage the team.
   */
  update(session: Session, input: ProfileInput, client: Client, mailLink?: MailLink): Promise<ProfileUpdated>;
  /** Sets and, with null, removes preferences. Throws 400 if they would be too large. */
  prefer(user: User, changes: Record<string, unknown>): Promise<Profile>;
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
      allSites: user.sites === '*',
      permissions: codes.isOwed(user) ? [] : [...permissionsOf(user.role)],
      sites: sites
        .list()
        .filter(({ id }) => mayTouchSite(user, id))
        .map(({ id, org }) => ({ id, org })),
      oneTimeCodes: codes.show(user),
      preferences: user.preferences ?? {},
    };
  }

  function refuseForeignSite(user: User, siteId: string): void {
    if (!sites.find(siteId)) throw invalid([{ path: 'lastActiveSite', message: `there is no site "${siteId}"` }]);
    if (!mayTouchSite(user, siteId)) throw forbidden(`you have no access to site "${siteId}"`);
  }

  /** An answer at once would show whether a person whom the user does not see has an account with the address. */
  function maySetAddress(user: User): boolean {
    if (!heldBy(user.role).has('team:manage') || codes.isOwed(user)) return false;
    return users.list().every((other) => sharesSite(user, other));
  }

  /** E-mail and password need the current password; if it is given, it is checked in any case. */
  async function confirm(user: User, input: ProfileInput, client: Client): Promise<void> {
    const isNeeded = isMoved(user, input.email) || input.newPassword !== undefined;
    if (!input.currentPassword) {
      if (isNeeded) throw invalid([{ path: 'currentPassword', message: 'is required to change e-mail or password' }]);
      return;
    }
    if (await signIn.confirm(user, input.currentPassword, client)) return;
    logger.info(
      { ip: client.address, userId: user.id },
      'a change of profile was refused: the current password was wrong',
    );
    throw invalid([{ path: 'currentPassword', message: 'is wrong' }]);
  }

  return {
    get,
    prefer: (user, changes) =>
      users.revise(user.id, (before) => {
        const merged = Object.entries({ ...before.preferences, ...changes }).filter(([, value]) => value !== null);
        const preferences = Object.fromEntries(merged);
        if (Buffer.byteLength(JSON.stringify(preferences)) > MAX_PREFERENCES_BYTES)
          throw invalid([{ path: 'preferences', message: `must have at most ${MAX_PREFERENCES_BYTES} bytes of JSON` }]);
        const after = isEqual(preferences, before.preferences ?? {}) ? before : { ...before, preferences };
        return [after, get(after)];
      }),
    async update(session, input, client, mailLink) {
      const { user } = session;
      const isByLink = isMoved(user, input.email) && !maySetAddress(user);
      if (isByLink && !mailLink) {
        throw forbidden('only a person who manages the team of all sites can change your e-mail address; ask them');
      }
      if (isByLink && input.newPassword !== undefined) {
        throw invalid([
          {
            path: 'email',
            message: 'takes effect by a mailed link, which a new password would end; change one of them first',
          },
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
          // If another session changed the password meanwhile, this one has ended and must not get a fresh cookie.
          if (before.epoch !== user.epoch) throw unauthenticated('the session has ended; sign in again');
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
        ...(newPassword === undefined ? {} : { tokens: tokens.listRemaining(changed) }),
      };
    },
  };
}

/** Returns true if the change gets an entry in the audit. The last site and zoom do not. */
export function isAudited(user: User, { name, email, newPassword }: ProfileInput): boolean {
  return (name !== undefined && name !== user.name) || isMoved(user, email) || newPassword !== undefined;
}

/** Returns true for a new address; another case or Unicode form is the same address. */
function isMoved(user: User, email: string | undefined): boolean {
  return email !== undefined && emailKey(email) !== emailKey(user.email);
}
