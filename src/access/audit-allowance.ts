// Keeps space in the audit: changes that users make to their own account, and frequent sign-ins, must not push the
// entries of others out of it.
import type { Audit, AuditChange } from '../audit/entry.ts';
import type { ChangeAllowance } from '../audit/open-audit.ts';
import type { InfoLogger } from '../data/info-logger.ts';
import { isStorageFull, ServiceError } from '../lib/errors.ts';
import type { ElapsedMs } from '../lib/time/elapsed.ts';
import { toEntries } from './audit-homes.ts';
import { createAllowance } from './links/allowance.ts';
import type { Principal } from './principal.ts';
import { tooManyRequests } from './refusals.ts';
import type { User } from './users/user.ts';

export interface AuditAllowance {
  /** Records a sign-in, which changes no private file; `audit-homes.ts` decides in which audit. */
  recordSignIn(user: User, changes: AuditChange[]): Promise<void>;
  /** Throws 429 if a user changes their own account so often that it would push others' entries out of the audit. */
  refuseOften(principal: Principal): void;
}

/** Entries in the audit that one account may cause in an hour. */
const OWN_CHANGES = 200;
const AUDITED_SIGN_INS = 100;
/** Audited changes of one account in an hour: more than people make, and too few to fill an audit in a day. */
const CHANGES = 1000;
const URGENT_CHANGES = 20;

export function createChangeAllowance(elapsedMs: ElapsedMs): ChangeAllowance {
  return {
    change: createAllowance(CHANGES, elapsedMs).reserve,
    urgent: createAllowance(URGENT_CHANGES, elapsedMs).reserve,
  };
}

export function createAuditAllowance(parts: {
  audit: Audit | undefined;
  elapsedMs: ElapsedMs;
  logger: InfoLogger;
}): AuditAllowance {
  const { audit, elapsedMs, logger } = parts;
  const ownChanges = createAllowance(OWN_CHANGES, elapsedMs);
  const signIns = createAllowance(AUDITED_SIGN_INS, elapsedMs);
  return {
    refuseOften({ userId, permissions }) {
      if (userId === null || permissions.has('team:manage')) return;
      const waitSeconds = ownChanges.reserve(userId);
      if (waitSeconds > 0)
        throw tooManyRequests('too many changes of your account in an hour; try again later', waitSeconds);
    },
    async recordSignIn({ id, name, email, sites }, changes) {
      const action = 'session.started';
      // The process log has every sign-in; signing in often must not push the entries of others out of the audit.
      if (!audit || signIns.reserve(id) > 0) return;
      try {
        const entries = toEntries(audit, { action, target: id, changes }, sites, { id, name, email });
        const homes = entries.map(({ site }) => site);
        await audit.reserve(homes, { id });
        await audit.append(entries);
      } catch (error) {
        if (!isStorageFull(error) && !isTooMany(error)) throw error;
        // The person who will free space has to be able to sign in, and the process log has the sign-in.
        logger.info({ err: error, userId: id, action }, 'the audit could not be written');
      }
    },
  };
}

function isTooMany(error: unknown): boolean {
  return error instanceof ServiceError && error.code === 'too_many_requests';
}
