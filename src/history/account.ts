// The account behind a change, as it is now: its name and address may be others than the commit's, which are those of then.

export interface Account {
  id: string;
  name: string;
  email: string;
}

/** Undefined for an account that is gone, and for one that never was. */
export type FindAccount = (userId: string) => { name: string; email: string } | undefined;

/** Null too for a commit that names no account: an older one, one of another tool, the system's. */
export function accountNow(findAccount: FindAccount, userId: string | undefined): Account | null {
  const found = userId === undefined ? undefined : findAccount(userId);
  return userId !== undefined && found ? { id: userId, name: found.name, email: found.email } : null;
}
