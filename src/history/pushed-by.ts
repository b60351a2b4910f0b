// Who pushed a commit through the service, as its note says; the account is told as it is now, where it is still there.

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

/** Answers a function that is undefined for whatever came in another way. */
export function createPushedBy({ notes, findAccount }: PushedByParts): (commit: Oid) => PushedBy | undefined {
  return (commit) => {
    const arrival = notes.has(commit) ? parseArrival(notes.find(commit) ?? '') : undefined;
    if (arrival?.via !== 'push') return undefined;
    const { id, name, email } = arrival.by;
    const account = id === null ? undefined : findAccount(id);
    return { via: 'push', pushedBy: { id, name: account?.name ?? name, email: account?.email ?? email } };
  };
}
