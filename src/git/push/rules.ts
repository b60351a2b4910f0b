// Which pushes are taken at all, before anybody looks at what is in them: one, of `main`, on top of what it is. Pure.
import { MAIN } from '../../store/repository/refs.ts';
import type { Command } from './request.ts';

/** Why each ref is not moved, where any is not: then none is. `head` is what the branch is. */
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
  // git's own words, which people look for.
  if (from !== head) return 'fetch first';
  return undefined;
}
