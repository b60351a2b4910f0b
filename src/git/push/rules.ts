// Which pushes are accepted at all, before their content is examined: of `main` on top of its newest commit, and of
// branches `changes/<name>`, which may also be rewritten and deleted. Pure.
import { isChangeBranch, MAX_CHANGE_BRANCHES } from '../../store/repository/change-branches/change-branches.ts';
import { MAIN } from '../../store/repository/refs.ts';
import type { Command } from './request.ts';

export interface RefsNow {
  /** The commit of main, as the log knows it. */
  head: string | null;
  /** All other refs, and main too. */
  refs: readonly { name: string; oid: string }[];
}

/** One segment that any file system, URL and shell takes as it is. */
const NAME = /^refs\/heads\/changes\/(?!.*\.\.)(?!.*\.(?:lock)?$)[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/** Why each ref is not moved: if one is refused, all are. Undefined if none is refused. */
export function refuseCommands(commands: readonly Command[], { head, refs }: RefsNow): Map<string, string> | undefined {
  const refusals = new Map<string, string>();
  const known = new Map(refs.map(({ name, oid }) => [name, oid]));
  const hasMain = head !== null || commands.some(({ ref, to }) => ref === MAIN && to !== null);
  const seen = new Set<string>();
  let count = refs.filter(({ name }) => isChangeBranch(name)).length;
  for (const { ref, from, to } of commands) if (isChangeBranch(ref) && to === null && from !== null) count--;
  for (const command of commands) {
    const { ref, from, to } = command;
    const isNew = isChangeBranch(ref) && to !== null && from === null;
    const reason = seen.has(ref)
      ? 'is named twice'
      : ref === MAIN
        ? refuseMain(command, head)
        : (refuseOther(command, known, hasMain) ?? (isNew && ++count > MAX_CHANGE_BRANCHES ? TOO_MANY : undefined));
    seen.add(ref);
    if (reason) refusals.set(ref, reason);
  }
  const [first] = refusals;
  if (!first) return undefined;
  for (const { ref } of commands)
    if (!refusals.has(ref)) refusals.set(ref, `not moved, because ${first[0]} is refused`);
  return refusals;
}

const TOO_MANY = `there are ${MAX_CHANGE_BRANCHES} branches changes/ already; delete one with: git push origin --delete changes/<name>`;

function refuseMain({ from, to }: Command, head: string | null): string | undefined {
  if (to === null) return 'main cannot be deleted';
  // In git's own words, which people search for.
  if (from !== head) return 'fetch first';
  return undefined;
}

function refuseOther(
  { ref, from, to }: Command,
  known: ReadonlyMap<string, string>,
  hasMain: boolean,
): string | undefined {
  if (!isChangeBranch(ref)) return 'only main and changes/<name> can be pushed here';
  if (from === null && to === null) return 'there is no such branch';
  if (from !== (known.get(ref) ?? null)) return 'fetch first';
  if (to === null) return undefined;
  if (!NAME.test(ref)) return 'a name changes/<name> has up to 100 letters, digits, ".", "_" and "-" after the slash';
  if (!hasMain) return 'push main first';
  // Git keeps refs in files and folders: one cannot be both.
  for (const name of known.keys()) {
    if (name.startsWith(`${ref}/`) || ref.startsWith(`${name}/`)) return `there is a branch ${name.slice(11)} already`;
  }
  return undefined;
}
