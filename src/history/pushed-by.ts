// Who pushed a commit through the service, according to its note; the account as it is now, if it still exists.

import type { FindAccount } from '../lib/account.ts';
import { parseArrival } from '../lib/arrival.ts';
import type { Oid } from '../store/git/objects.ts';

export interface PushedBy {
  via: 'push';
  pushedBy: { id: string | null; name: string; email: string };
}

export interface PushedByParts {
  notes: { has(commit: Oid): boolean; find(commit: Oid): string | undefined };
  findAccount: FindAccount;
}

/** The function returns undefined for a commit that was not pushed. */
export function createPushedBy({ notes, findAccount }: PushedByParts): (commit: Oid) => PushedBy | undefined {
  return (commit) => {
    const arrival = notes.has(commit) ? parseArrival(notes.find(commit) ?? '') : undefined;
    if (arrival?.via !== 'push') return undefined;
    const { id, name, email } = arrival.by;
    const account = id === null ? undefined : findAccount(id);
    return { via: 'push', pushedBy: { id, name: account?.name ?? name, email: account?.email ?? email } };
  };
}
