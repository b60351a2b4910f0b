// Which pushes are accepted at all, before their content is examined: only of `main` alone, on top of its newest
// commit. Pure.
import { MAIN } from '../../store/repository/refs.ts';
import type { Command } from './request.ts';

/**
 * Why each ref is not moved: if one is refused, all are. Undefined if none is refused. `head` is the branch's commit.
 */
export function refuseCommands(commands: readonly Command[], head: string | null): Map<string, string> | undefined {
  const refusals = new Map<string, string>();
  for (const command of commands) {
    const reason = refuseCommand(command, head);
    if (reason) refusals.set(command.ref, reason);
  }
  if (refusals.size === 0 && commands.length === 1) return undefined;
  for (const { ref } of commands) if (!refusals.has(ref)) refusals.set(ref, 'push it alone');
  return refusals;
}

function refuseCommand({ ref, from, to }: Command, head: string | null): string | undefined {
  if (ref !== MAIN) return 'only main can be pushed here';
  if (to === null) return 'main cannot be deleted';
  // In git's own words, which people search for.
  if (from !== head) return 'fetch first';
  return undefined;
}
