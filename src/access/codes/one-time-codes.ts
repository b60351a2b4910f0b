// A user's one-time codes: the stored record, and the check of a code against it. Pure.
import { z } from 'zod';
import { toRecoveryHash } from './recovery.ts';
import { findStep } from './totp.ts';

export const StoredCodes = z.object({
  /** Base 32. A person who reads it can make codes; the file is private because of the hashes beside it anyway. */
  secret: z.string(),
  since: z.string(),
  /** The time step of the last code that was used: no code works twice. */
  lastStep: z.int(),
  /** Hashes of the unused recovery codes. */
  recovery: z.array(z.string()),
  /** Wrong codes in a row. */
  wrong: z.int(),
});
export type StoredCodes = z.output<typeof StoredCodes>;

/** A secret that was shown and not yet confirmed by one of its codes. */
export const PendingCodes = z.object({ secret: z.string(), until: z.string() });
export type PendingCodes = z.output<typeof PendingCodes>;

/**
 * After so many wrong codes in a row no further code is accepted (NIST SP 800-63B, section 5.2.2): an attacker knows
 * the password. A new password or a recovery code ends that; recovery codes still work, because they cannot be guessed.
 */
export const MAX_WRONG = 100;

export interface CodeCheck {
  outcome: 'right' | 'recovery' | 'wrong' | 'locked';
  codes: StoredCodes;
}

function toWrong(codes: StoredCodes): CodeCheck {
  // The same record once the count has reached its limit, so that nothing is written.
  return { outcome: 'wrong', codes: codes.wrong < MAX_WRONG ? { ...codes, wrong: codes.wrong + 1 } : codes };
}

/** Checks `code` and returns the record after it. */
export function checkCode(codes: StoredCodes, code: string, now: Date): CodeCheck {
  const typed = code.replace(/[\s-]/g, '');
  if (!/^\d{6}$/.test(typed)) {
    const hash = toRecoveryHash(typed);
    if (!codes.recovery.includes(hash)) return toWrong(codes);
    const recovery = codes.recovery.filter((one) => one !== hash);
    return { outcome: 'recovery', codes: { ...codes, wrong: 0, recovery } };
  }
  if (codes.wrong >= MAX_WRONG) return { outcome: 'locked', codes };
  const step = findStep(codes.secret, typed, now);
  if (step === undefined || step <= codes.lastStep) return toWrong(codes);
  return { outcome: 'right', codes: { ...codes, wrong: 0, lastStep: step } };
}

/** For the audit: codes set up or removed, a recovery code used. Never the codes themselves. */
export function codeChanges(before: StoredCodes | undefined, after: StoredCodes | undefined) {
  if (before?.secret !== after?.secret) {
    return [{ key: 'oneTimeCodes', before: before ? 'on' : 'off', after: after ? 'on' : 'off' }];
  }
  const [had, has] = [before?.recovery.length ?? 0, after?.recovery.length ?? 0];
  return had === has ? [] : [{ key: 'recoveryCodes', before: had, after: has }];
}
