// Which objects a client may have: those that a shown branch, tag or note reaches. Git checks it for
// commits in its first two protocols; else it serves what the repository has, also what a force-push has removed.
import type { GitProgram } from '../program/program.ts';
import { findTrouble } from '../program/trouble.ts';

export interface ShownObjectsParts {
  program: GitProgram;
  repository: string;
  signal: AbortSignal;
}

/** The refs of `isShown`: a pattern without a star would be read as a folder. */
const SHOWN = ['--branches', '--tags', '--glob=refs/notes/colopho[n]'];
/** Commit by commit, newest first, each with what it added: what clients ask for is mostly in the newest. */
const WALK = ['rev-list', '--objects', '--in-commit-order', '--no-object-names', ...SHOWN];

/** Those of the objects that no shown ref reaches. Stops reading the history once all are met. */
export async function findHidden(
  { program, repository, signal }: ShownObjectsParts,
  oids: Iterable<string>,
): Promise<Set<string>> {
  const left = new Set(oids);
  if (left.size === 0) return left;
  const child = await program.start([`--git-dir=${repository}`, ...WALK], { signal });
  child.stdin.end();
  let rest = '';
  for await (const chunk of child.stdout) {
    const lines = `${rest}${(chunk as Buffer).toString('latin1')}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) left.delete(line);
    // Leaving the loop closes the output, which ends git.
    if (left.size === 0) return left;
  }
  const ended = await child.ended;
  const trouble = findTrouble(ended);
  if (trouble) throw trouble;
  if (ended.code !== 0) throw new Error(`git cannot read the history: ${ended.stderr || `code ${ended.code}`}`);
  return left;
}
