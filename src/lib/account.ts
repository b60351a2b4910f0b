// The account behind a change, as it is now: its name and address may differ from the commit's, which are those at the
// time.
import { z } from 'zod';

export const Account = z
  .object({ id: z.string(), name: z.string(), email: z.string() })
  .meta({ id: 'Account' })
  .nullable()
  .meta({ description: 'the account that acted, in its current state; null if it is gone, or if no account is named' });
export type Account = NonNullable<z.output<typeof Account>>;

/** Returns undefined for an account that is gone or never existed. */
export type FindAccount = (userId: string) => { name: string; email: string } | undefined;

/** Returns null also for a commit that names no account: an older one, one of another tool, or the system's. */
export function accountNow(findAccount: FindAccount, userId: string | undefined): Account | null {
  const found = userId === undefined ? undefined : findAccount(userId);
  return userId !== undefined && found ? { id: userId, name: found.name, email: found.email } : null;
}
