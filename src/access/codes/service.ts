// One-time codes of a user: set up, asked for, taken away. What a code is worth is decided on the newest record and
// written with it, so that of two requests with the same code one gets in.

import type { AuditActor } from '../../audit/entry.ts';
import { conflict, forbidden, invalid, ServiceError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Role } from '../principal.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import { type CodeCheck, checkCode, type StoredCodes } from './one-time-codes.ts';
import { newRecoveryCodes, toRecoveryHash } from './recovery.ts';
import { findStep, newCodeSecret, toCodeUri } from './totp.ts';

/** What a user's own page says about codes. */
export interface CodeState {
  on: boolean;
  /** The role wants them. */
  wanted: boolean;
  recoveryCodesLeft: number;
}

export interface OneTimeCodes {
  show(user: User): CodeState;
  /** True if the role of this user wants codes and there are none: nothing is open until they are set up. */
  isOwed(user: User): boolean;
  /**
   * For a user whose password was right: true if there are no codes, or this is one of them. 401
   * `one_time_code_required` without one; 403 for a role that wants codes and has the provider's instead.
   */
  check(user: User, code: string | undefined): Promise<boolean>;
  /** A secret to scan; nothing is asked of anybody until `confirm` has seen a code of it. 409 if codes are on. */
  begin(user: User): Promise<{ secret: string; uri: string }>;
  /** Turns codes on and gives the recovery codes, the only time that they are shown. 400 for a wrong code. */
  confirm(user: User, code: string): Promise<{ recoveryCodes: string[] }>;
  /** Takes them away; `guard` refuses what the caller may not do. */
  remove(id: string, guard?: (user: User) => void, by?: AuditActor): Promise<void>;
}

/** A secret that was shown and forgotten is not lying around for long. */
const PENDING_MS = 30 * 60_000;

function toActor({ id, name, email }: User): AuditActor {
  return { id, name, email };
}

export function createOneTimeCodes(options: {
  users: Users;
  /** Roles that want codes. */
  wantedFor: readonly Role[];
  /** What an app shows beside the code. */
  issuer: string;
  /** True for a user whose way in is the provider, which asks for what it wants. */
  comesFromProvider(user: User): boolean;
  logger: Pick<Logger, 'info'>;
  now: () => Date;
}): OneTimeCodes {
  const { users, wantedFor, issuer, comesFromProvider, logger, now } = options;

  return {
    show: ({ role, oneTimeCodes }) => ({
      on: oneTimeCodes !== undefined,
      wanted: wantedFor.includes(role),
      recoveryCodesLeft: oneTimeCodes?.recovery.length ?? 0,
    }),

    isOwed: (user) => wantedFor.includes(user.role) && !user.oneTimeCodes && !comesFromProvider(user),

    async check(user, code) {
      if (!user.oneTimeCodes) {
        if (wantedFor.includes(user.role) && comesFromProvider(user)) {
          throw forbidden('your role wants a second factor; sign in through the provider');
        }
        return true;
      }
      if (code === undefined || code.trim() === '') {
        throw new ServiceError('one_time_code_required', 'the code of the authenticator app is needed, as `code`');
      }
      const outcome = await users.revise<CodeCheck['outcome']>(
        user.id,
        (before) => {
          if (!before.oneTimeCodes) return [before, 'right'];
          const { outcome, codes } = checkCode(before.oneTimeCodes, code, now());
          return [codes === before.oneTimeCodes ? before : { ...before, oneTimeCodes: codes }, outcome];
        },
        toActor(user),
      );
      if (outcome !== 'right') logger.info({ userId: user.id, outcome }, 'a one-time code was not an ordinary one');
      if (outcome === 'locked') {
        throw new ServiceError('unauthenticated', 'too many wrong codes: use a recovery code, or set a new password');
      }
      return outcome === 'right' || outcome === 'recovery';
    },

    async begin(user) {
      const secret = newCodeSecret();
      const until = new Date(now().getTime() + PENDING_MS).toISOString();
      await users.revise(user.id, (before) => {
        if (before.oneTimeCodes) throw conflict('one-time codes are on; turn them off first');
        return [{ ...before, pendingCodes: { secret, until } }, undefined];
      });
      return { secret, uri: toCodeUri(secret, user.email, issuer) };
    },

    async confirm(user, code) {
      const recoveryCodes = newRecoveryCodes();
      await users.revise(
        user.id,
        ({ pendingCodes, ...before }) => {
          if (before.oneTimeCodes) throw conflict('one-time codes are on');
          if (!pendingCodes || Date.parse(pendingCodes.until) <= now().getTime()) {
            throw conflict('ask for a secret first');
          }
          const lastStep = findStep(pendingCodes.secret, code.replace(/\s/g, ''), now());
          if (lastStep === undefined) throw invalid([{ path: 'code', message: 'is wrong' }]);
          const oneTimeCodes: StoredCodes = {
            secret: pendingCodes.secret,
            since: now().toISOString(),
            lastStep,
            recovery: recoveryCodes.map(toRecoveryHash),
            wrong: 0,
          };
          return [{ ...before, oneTimeCodes }, undefined];
        },
        toActor(user),
      );
      logger.info({ userId: user.id }, 'a user turned one-time codes on');
      return { recoveryCodes };
    },

    async remove(id, guard, by) {
      await users.revise(
        id,
        (before) => {
          guard?.(before);
          const { oneTimeCodes, pendingCodes, ...rest } = before;
          return [oneTimeCodes || pendingCodes ? rest : before, undefined];
        },
        by,
      );
    },
  };
}
