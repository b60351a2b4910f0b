// Keeps room in the audit: what an account may do to itself, or do often, must not push the entries of others out of it.
import type { Audit, AuditChange } from '../audit/entry.ts';
import type { InfoLogger } from '../data/info-logger.ts';
import { isStorageFull } from '../lib/errors.ts';
import type { ElapsedMs } from '../lib/time/elapsed.ts';
import { toEntries } from './audit-homes.ts';
import { createAllowance } from './links/allowance.ts';
import type { Principal } from './principal.ts';
import { tooManyRequests } from './refusals.ts';
import type { User } from './users/user.ts';

export interface AuditRoom {
  /** Records a sign-in, which changes no private file; `audit-homes.ts` decides where. */
  recordSignIn(user: User, changes: AuditChange[]): Promise<void>;
  /** Throws 429 if a user changes their own account so often that it would push others' entries out of the audit. */
  refuseOften(principal: Principal): void;
}

/** Entries in the audit that one account may cause in an hour. */
const OWN_CHANGES = 200;
const AUDITED_SIGN_INS = 100;

export function createAuditRoom(parts: {
  audit: Audit | undefined;
  elapsedMs: ElapsedMs;
  logger: InfoLogger;
}): AuditRoom {
  const { audit, elapsedMs, logger } = parts;
  const ownChanges = createAllowance(OWN_CHANGES, elapsedMs);
  const signIns = createAllowance(AUDITED_SIGN_INS, elapsedMs);
  return {
    refuseOften({ userId, permissions }) {
      if (userId === null || permissions.has('team:manage')) return;
      const waitSeconds = ownChanges.take(userId);
      if (waitSeconds > 0)
        throw tooManyRequests('too many changes of your account in an hour, try again later', waitSeconds);
    },
    async recordSignIn({ id, name, email, sites }, changes) {
      const action = 'session.started';
      // The log has them all; nobody pushes the entries of others out by signing in.
      if (!audit || signIns.take(id) > 0) return;
      try {
        await audit.append(toEntries(audit, { action, target: id, changes }, sites, { id, name, email }));
      } catch (error) {
        if (!isStorageFull(error)) throw error;
        // Whoever is to make room has to come in.
        logger.info({ err: error, userId: id, action }, 'the audit could not be written');
      }
    },
  };
}
