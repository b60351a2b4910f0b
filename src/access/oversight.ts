// The sessions and access tokens of a user: one's own, and of others for those who manage the team and hold no less than they do.

import type { Audit } from '../audit/entry.ts';
import type { InfoLogger } from '../data/info-logger.ts';
import { notFound } from '../lib/errors.ts';
import { toAuditActor } from './actor.ts';
import { toEntries } from './audit-homes.ts';
import type { Principal } from './principal.ts';
import { need } from './refusals.ts';
import type { ShownSession } from './sessions/session.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { ShownToken } from './tokens/token.ts';
import type { Tokens } from './tokens/tokens.ts';
import type { Ranks } from './users/ranks.ts';
import type { Team } from './users/team.ts';
import type { User } from './users/user.ts';
import type { Users } from './users/users.ts';

export interface Oversight {
  /** Of the user with that id; one's own without. 403 for others without team:manage. */
  listSessions(principal: Principal, userId?: string): ShownSession[];
  /** 404 for one that is not there, or that is somebody else's without team:manage. */
  endSession(principal: Principal, id: string): Promise<void>;
  /** As the sessions are listed; one's own need tokens:manage. */
  listTokens(principal: Principal, userId?: string): ShownToken[];
  /** As a session is ended. */
  revokeToken(principal: Principal, id: string): Promise<void>;
}

export function createOversight(options: {
  team: Team;
  sessions: Sessions;
  tokens: Tokens;
  users: Users;
  ranks: Ranks;
  audit: Audit | undefined;
  logger: InfoLogger;
}): Oversight {
  const { team, sessions, tokens, users, ranks, audit, logger } = options;

  function getManaged(principal: Principal, userId: string): User {
    need(principal, 'team:manage');
    const user = team.get(principal, userId);
    ranks.refuseStronger(principal, user);
    return user;
  }

  return {
    listSessions(principal, userId = principal.userId ?? '') {
      if (userId !== principal.userId) getManaged(principal, userId);
      return sessions.list(userId);
    },

    async endSession(principal, id) {
      const session = sessions.get(id);
      const isOwn = session?.userId === principal.userId;
      if (!session || (!isOwn && !principal.permissions.has('team:manage'))) throw notFound(`session ${id}`);
      if (!isOwn) {
        const user = getManaged(principal, session.userId);
        const changes = [{ key: 'session', before: id, after: null }];
        const told = { action: 'session.ended', target: user.id, changes };
        await audit?.append(toEntries(audit, told, user.sites, toAuditActor(principal)));
      }
      await sessions.end(id);
      logger.info({ by: principal.userId, userId: session.userId }, 'a session was ended');
    },

    listTokens(principal, userId = principal.userId ?? '') {
      if (userId !== principal.userId) return tokens.list(getManaged(principal, userId));
      need(principal, 'tokens:manage');
      const user = users.find(userId);
      return user ? tokens.list(user) : [];
    },

    async revokeToken(principal, id) {
      const owner = tokens.findOwner(id);
      const isOwn = owner?.id === principal.userId;
      if (isOwn || !principal.permissions.has('team:manage')) need(principal, 'tokens:manage');
      if (!owner || (!isOwn && !principal.permissions.has('team:manage'))) throw notFound(`access token ${id}`);
      if (!isOwn) getManaged(principal, owner.id);
      await tokens.revoke(owner, id, toAuditActor(principal));
      logger.info({ by: principal.userId, userId: owner.id, tokenId: id }, 'an access token was revoked');
    },
  };
}
