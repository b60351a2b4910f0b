// Sets up, checks and removes the one-time codes of a user. A code is checked against the newest record and the result
// is written in the same step, so that only one of two requests with the same code gets in.

import type { AuditActor } from '../../audit/entry.ts';
import { conflict, forbidden, invalid, ServiceError } from '../../lib/errors.ts';
import type { Logger } from '../../lib/logger.ts';
import type { Role } from '../principal.ts';
import type { User } from '../users/user.ts';
import type { Users } from '../users/users.ts';
import { type CodeCheck, checkCode, type StoredCodes } from './one-time-codes.ts';
import { newRecoveryCodes, toRecoveryHash } from './recovery.ts';
import { findStep, newCodeSecret, toCodeUri } from './totp.ts';

/** The state of a user's codes, as the profile shows it. */
export interface CodeState {
  on: boolean;
  /** True if the user's role requires codes. */
  wanted: boolean;
  recoveryCodesLeft: number;
}

export interface OneTimeCodes {
  show(user: User): CodeState;
  /** True if the user's role requires codes that are not set up yet: until then the user may do nothing else. */
  isOwed(user: User): boolean;
  /**
   * For a user whose password was right: true if the user has no codes, or `code` is right. 401
   * `one_time_code_required` if it is missing; 403 if the role requires codes and the user relies on the provider's
   * second factor instead.
   */
  check(user: User, code: string | undefined): Promise<boolean>;
  /** Returns a secret to scan; codes are not on until `confirm` gets one of its codes. 409 if they are on. */
  begin(user: User): Promise<{ secret: string; uri: string }>;
  /** Turns codes on and returns the recovery codes, which are shown only this once. 400 for a wrong code. */
  confirm(user: User, code: string): Promise<{ recoveryCodes: string[] }>;
  /** Turns codes off; `guard` throws if the caller may not do that. */
  remove(id: string, guard?: (user: User) => void, by?: AuditActor): Promise<void>;
}

/** A secret that was shown and never confirmed does not stay valid for long. */
const PENDING_MS = 30 * 60_000;

function toActor({ id, name, email }: User): AuditActor {
  return { id, name, email };
}

export function createOneTimeCodes(options: {
  users: Users;
  /** Roles that require codes. */
  wantedFor: readonly Role[];
  /** The name that an authenticator app shows beside the code. */
  issuer: string;
  /** True for a user who signs in through the provider, which has its own second factor. */
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
          throw forbidden('your role requires a second factor; sign in through the provider');
        }
        return true;
      }
      if (code === undefined || code.trim() === '') {
        throw new ServiceError('one_time_code_required', 'a code of the authenticator app is required, as `code`');
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
      if (outcome !== 'right')
        logger.info({ userId: user.id, outcome }, 'a one-time code was wrong, locked out or a recovery code');
      if (outcome === 'locked') {
        throw new ServiceError('unauthenticated', 'too many wrong codes; use a recovery code, or set a new password');
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
          if (before.oneTimeCodes) throw conflict('one-time codes are on already');
          if (!pendingCodes || Date.parse(pendingCodes.until) <= now().getTime()) {
            throw conflict('there is no secret to confirm, or it is too old; request one first');
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
