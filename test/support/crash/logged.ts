// The log as git has it.
import { type Oid, parseCommit, parseTrailers } from '../../../src/store/git/objects.ts';
import type { Odb } from '../../../src/store/repository/odb.ts';

export interface Logged {
  commit: Oid;
  /** Undefined for an external commit. */
  changeId: string | undefined;
}

/** The branch by first parents, oldest first. */
export function listLog(odb: Odb, head: Oid | null): Logged[] {
  const log: Logged[] = [];
  for (let commit = head; commit; ) {
    const { message, parents } = parseCommit(odb.get(commit, 'commit'));
    log.push({ commit, changeId: parseTrailers(message).get('Change-Id') });
    commit = parents[0] ?? null;
  }
  return log.reverse();
}
