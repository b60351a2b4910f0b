// Consequences of a new password, a new address or a suspension for the rest of an account's record. Pure.
import { withoutLinks } from '../links/link.ts';
import { emailKey, type User } from './user.ts';

/**
 * The record after a change of password or address, or a suspension: links that were mailed before end. A new password
 * also completes an invitation and resets the count of wrong codes.
 */
export function settleAccount(before: User, after: User): User {
  const isNewPassword = after.passwordHash !== before.passwordHash;
  const isSame = emailKey(after.email) === emailKey(before.email) && after.suspended === before.suspended;
  if (!isNewPassword && isSame) return after;
  const { invited, oneTimeCodes, ...rest } = withoutLinks(after);
  return {
    ...rest,
    ...(invited && !isNewPassword ? { invited } : {}),
    ...(oneTimeCodes ? { oneTimeCodes: { ...oneTimeCodes, ...(isNewPassword ? { wrong: 0 } : {}) } } : {}),
  };
}
