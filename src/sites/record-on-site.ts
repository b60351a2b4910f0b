// Records in a site's audit what its users do with it.
import type { Logger } from 'pino';
import { SYSTEM, toAuditActor } from '../access/actor.ts';
import type { Audit, RecordOnSite } from '../audit/entry.ts';
import { isStorageFull } from '../lib/errors.ts';

/**
 * For actions that read or free space: they go on while the disk is full, and what the audit could not store is logged.
 */
export function createRecordUnlessFull(logger: Logger): RecordOnSite {
  return async (call, action, changes) => {
    try {
      await recordOnSite(call, action, changes);
    } catch (error) {
      if (!isStorageFull(error)) throw error;
      logger.warn(
        { err: error, site: call.site.id, userId: call.principal.userId, action },
        'audit could not be written',
      );
    }
  };
}

/** Durable before the action is done. */
export const recordOnSite: RecordOnSite = ({ site, principal }, action, changes) =>
  site.audit.record({ site: site.id, actor: toAuditActor(principal), action, target: site.id, changes });

/** Records that an agent stopped with the credentials that activated it; the service itself is the actor. */
export function createRecordStop(site: string, audit: Pick<Audit, 'append' | 'toEntry'>) {
  const actor = { id: null, name: SYSTEM.name, email: SYSTEM.email };
  return (agentId: string, name: string, reason: string): Promise<void> => {
    const changes = [
      { key: 'name', before: name, after: null },
      { key: 'reason', before: null, after: reason },
    ];
    return audit.append([audit.toEntry({ site, actor, action: 'agent.stopped', target: agentId, changes })]);
  };
}
