// Lists and ends sessions and access tokens of a user: one's own, or those of others for principals who manage the team
// and have at least the other user's rights.

import type { Audit, AuditChange } from '../audit/entry.ts';
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
  /** The sessions of user `userId`, by default the principal's own. 403 for another user's without team:manage. */
  listSessions(principal: Principal, userId?: string): ShownSession[];
  /** 404 if there is no such session, or if it is another user's and the principal lacks team:manage. */
  endSession(principal: Principal, id: string): Promise<void>;
  /** Ends the sessions of user `userId` but for session `except`; returns how many. Like `listSessions`. */
  endSessions(principal: Principal, userId: string, except: string): Promise<number>;
  /** Like `listSessions`; the principal's own tokens need tokens:manage. */
  listTokens(principal: Principal, userId?: string): ShownToken[];
  /** Like `endSession`; the principal's own tokens need tokens:manage. */
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

  /** Recorded before it is done. @throws too_many_requests */
  async function record(principal: Principal, { id, sites }: User, change: AuditChange): Promise<void> {
    if (!audit) return;
    const described = { action: 'session.ended', target: id, changes: [change] };
    const actor = toAuditActor(principal);
    const entries = toEntries(audit, described, sites, actor);
    await audit.reserve(
      entries.map(({ site }) => site),
      actor,
    );
    await audit.append(entries);
  }

  return {
    listSessions(principal, userId = principal.userId ?? '') {
      if (userId !== principal.userId) getManaged(principal, userId);
      return sessions.list(userId);
    },

    async endSession(principal, id) {
      const session = sessions.get(id);
      const isOwn = session?.userId === principal.userId;
      if (!session || (!isOwn && !principal.permissions.has('team:manage'))) throw notFound(`session "${id}"`);
      if (!isOwn) {
        const user = getManaged(principal, session.userId);
        await record(principal, user, { key: 'session', before: id, after: null });
      }
      await sessions.end(id);
      logger.info({ by: principal.userId, userId: session.userId }, 'a session was ended');
    },

    async endSessions(principal, userId, except) {
      if (userId !== principal.userId) {
        const user = getManaged(principal, userId);
        await record(principal, user, { key: 'sessions', before: 'all', after: null });
      }
      const ids = new Set(sessions.list(userId).flatMap(({ id }) => (id === except ? [] : [id])));
      await sessions.endAll(ids);
      logger.info({ by: principal.userId, userId, count: ids.size }, 'all sessions of a user were ended');
      return ids.size;
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
      if (!owner || (!isOwn && !principal.permissions.has('team:manage'))) throw notFound(`access token "${id}"`);
      if (!isOwn) getManaged(principal, owner.id);
      await tokens.revoke(owner, id, toAuditActor(principal));
      logger.info({ by: principal.userId, userId: owner.id, tokenId: id }, 'an access token was revoked');
    },
  };
}
