// What users may change about themselves. E-mail and password only with the present password (decisions.md, section 6),
// so that a borrowed browser or a stolen cookie cannot take the account over.

import type { Log } from '../data/log.ts';
import { forbidden, invalid } from '../lib/errors.ts';
import type { CodeState, OneTimeCodes } from './codes/service.ts';
import type { ProfileInput } from './input.ts';
import { permissionsOf } from './permissions.ts';
import type { Permission } from './principal.ts';
import { unauthenticated } from './refusals.ts';
import type { Client } from './session.ts';
import type { Session, Sessions } from './sessions.ts';
import type { SignIn } from './sign-in.ts';
import type { Sites } from './sites.ts';
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

export interface Profiles {
  get(user: User): Profile;
  /** Gives the cookie's value for the session to go on with. A new password ends every other session. */
  update(session: Session, input: ProfileInput, client: Client): Promise<{ profile: Profile; cookie: string }>;
}

export function createProfiles(options: {
  users: Users;
  sessions: Sessions;
  signIn: SignIn;
  sites: Sites;
  codes: OneTimeCodes;
  log: Log;
}): Profiles {
  const { users, sessions, signIn, sites, codes, log } = options;

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
    const isMoved = input.email !== undefined && emailKey(input.email) !== emailKey(user.email);
    const isNeeded = isMoved || input.newPassword !== undefined;
    if (!input.currentPassword) {
      if (isNeeded) throw invalid([{ path: 'currentPassword', message: 'is needed to change e-mail or password' }]);
      return;
    }
    if (await signIn.confirm(user, input.currentPassword, client)) return;
    log.info({ ip: client.address, userId: user.id }, 'a present password was wrong');
    throw invalid([{ path: 'currentPassword', message: 'is wrong' }]);
  }

  return {
    get,
    async update(session, input, client) {
      const { user } = session;
      if (input.lastActiveSite) refuseForeignSite(user, input.lastActiveSite);
      await confirm(user, input, client);
      const { currentPassword: _, newPassword, ...rest } = input;
      const changed = await users.change(
        user.id,
        { ...rest, password: newPassword },
        (before) => {
          // Another session changed the password meanwhile, which ended this one: it must not get a fresh cookie.
          if (before.epoch !== user.epoch) throw unauthenticated('the session has ended, sign in again');
        },
        { id: user.id, name: user.name, email: user.email },
      );
      if (newPassword !== undefined) log.info({ ip: client.address, userId: user.id }, 'a user changed their password');
      const cookie = newPassword === undefined ? sessions.renew(session) : await sessions.begin(changed, client);
      return { profile: get(changed), cookie };
    },
  };
}
