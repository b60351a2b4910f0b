// The sessions of a user: one's own, and of others for those who manage the team and hold no less than they do.
import type { Log } from '../data/log.ts';
import { forbidden, notFound } from '../lib/errors.ts';
import type { Audit } from '../site/audit-entry.ts';
import { toAuditActor } from './actor.ts';
import type { Principal } from './principal.ts';
import type { Ranks } from './ranks.ts';
import type { ShownSession } from './session.ts';
import type { Sessions } from './sessions.ts';
import type { Team } from './team.ts';
import type { User } from './user.ts';

export interface Oversight {
  /** Of the user with that id; one's own without. 403 for others without team:manage. */
  listSessions(principal: Principal, userId?: string): ShownSession[];
  /** 404 for one that is not there, or that is somebody else's without team:manage. */
  endSession(principal: Principal, id: string): Promise<void>;
}

export function createOversight(options: {
  team: Team;
  sessions: Sessions;
  ranks: Ranks;
  audit: Audit | undefined;
  log: Log;
}): Oversight {
  const { team, sessions, ranks, audit, log } = options;

  function getManaged(principal: Principal, userId: string): User {
    if (!principal.permissions.has('team:manage')) throw forbidden('the permission team:manage is needed');
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
        getManaged(principal, session.userId);
        const changes = [{ key: 'session', before: id, after: null }];
        const actor = toAuditActor(principal);
        await audit?.record({ site: null, actor, action: 'session.ended', target: session.userId, changes });
      }
      await sessions.end(id);
      log.info({ by: principal.userId, userId: session.userId }, 'a session was ended');
    },
  };
}
