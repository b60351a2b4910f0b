// Puts our waiting changes on top of the commit that the branch is at now. Everything is worked out before the log is
// changed; then the views get the commit and the replayed changes in one turn of the event loop.
import type { NotShown } from '../git/not-shown.ts';
import type { Oid } from '../git/objects.ts';
import type { LogEntry } from './entry.ts';
import type { External } from './external.ts';
import { type LogState, type Pending, waitingIn } from './log-state.ts';
import type { Publisher } from './publish/publisher.ts';
import type { Replanted } from './replant.ts';
import type { Replay } from './replay.ts';
import type { KeepAside } from './set-aside.ts';

export interface PutOnTopParts {
  replay: Pick<Replay, 'finish'>;
  publisher: Pick<Publisher, 'forget'>;
  keepAside: KeepAside;
  onExternal(external: External): void;
  /** The views no longer show what the repository has. */
  onBroken(error: unknown): void;
}

/** Returns what of the external commits our changes overwrite. */
export function putOnTop(state: LogState, parts: PutOnTopParts, theirs: Oid, isOwn: boolean): NotShown[] {
  const from = state.gitHead;
  const ours = waitingIn(state);
  const before = ours.map(({ entry }) => entry);
  const { tree, head, replanted } = parts.replay.finish(theirs);
  for (const [i, { problem }] of replanted.entries()) {
    if (problem !== undefined) parts.keepAside(before.slice(0, i + 1), from, problem);
  }
  ours.forEach((pending, i) => {
    const { entry, result } = replanted[i]!;
    Object.assign(pending, { entry, result });
  });
  parts.publisher.forget();
  const durableHead = state.durable.at(-1)?.entry.commit ?? theirs;
  Object.assign(state, { gitHead: theirs, head, durableHead, tree, batch: undefined });
  if (ours.length > 0) state.replants++;
  try {
    parts.onExternal(toExternal(state, before, { from, to: theirs, isOwn }));
    showReplayed(state, ours, replanted);
  } catch (error) {
    parts.onBroken(error);
  }
  return replanted.flatMap(({ notShown }) => notShown);
}

function toExternal(
  { durable }: LogState,
  before: readonly LogEntry[],
  move: Pick<External, 'from' | 'to' | 'isOwn'>,
): External {
  return {
    ...move,
    replanted: durable.map(({ entry, result }, i) => ({
      ...{ from: before[i]!.commit, entry },
      blobs: result.blobs.map(({ oid }) => oid),
    })),
    ours: new Set(durable.flatMap(({ entry }, i) => [...before[i]!.files, ...entry.files].map(({ path }) => path))),
  };
}

function showReplayed({ durable }: LogState, ours: readonly Pending[], replanted: readonly Replanted[]): void {
  for (const [i, { entry, result, replayed }] of ours.entries()) {
    const blobs = result.blobs.map(({ oid }) => oid);
    const shownAs = i < durable.length ? entry.commit : undefined;
    replayed?.(entry.files, blobs, shownAs, replanted[i]!.problem !== undefined);
  }
}
