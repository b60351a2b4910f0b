// The changes that a start found in the write-ahead log but not on the branch: they continue where they were, on top of
// what the branch has now.
import { type Oid, parseCommit } from '../git/objects.ts';
import type { Odb } from '../repository/odb.ts';
import type { LogEntry } from './entry.ts';
import { type LogState, toAcknowledged } from './log-state.ts';
import type { RecoveredEntry } from './recovery.ts';
import { type CreateRebase, createReplanter, type ReplantParts } from './replant.ts';
import type { KeepAside } from './set-aside.ts';

export interface RecoveredParts {
  odb: Odb;
  /** The branch's commit. */
  head: Oid | null;
  /** Oldest first. */
  replay: readonly RecoveredEntry[];
  createRebase?: CreateRebase | undefined;
  keepAside: KeepAside;
}

/** Makes them the log's durable changes; returns them with their current commits. */
export function queueRecovered(state: LogState, parts: RecoveredParts): LogEntry[] {
  const { odb, head, replay, keepAside } = parts;
  const replanter = createReplanter({ odb, onto: head, ...findBase(parts) });
  state.tree = replanter.tree;
  for (const [i, { entry, sequence }] of replay.entries()) {
    const { problem, ...onTop } = replanter.replant(entry, state.head, true);
    if (problem !== undefined) {
      const line = replay.slice(0, i + 1).map((one) => one.entry);
      keepAside(line, parseCommit(line[0]!.body).parents[0] ?? null, problem);
    }
    const recovered = toAcknowledged({ ...onTop, sequence });
    state.durable.push(recovered);
    state.heldBytes += recovered.sizeBytes;
    state.head = state.durableHead = recovered.entry.commit;
    state.appendedCount++;
  }
  const replayed = state.durable.map(({ entry }) => entry);
  if (replayed.some(({ commit }, i) => commit !== replay[i]!.entry.commit)) state.replants++;
  return replayed;
}

/** If external commits came in between, `base` is the commit that the first change was made on, if git still has it. */
function findBase({ odb, head, replay, createRebase }: RecoveredParts): Pick<ReplantParts, 'base' | 'createRebase'> {
  const [first] = replay;
  const base = (first && parseCommit(first.entry.body).parents[0]) ?? null;
  if (base === head) return { base, createRebase: undefined };
  return { base: base && odb.has(base) ? base : null, createRebase };
}
