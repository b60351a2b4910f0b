// Every merge of the week as text: what both sides changed in one file, and what came of it.
import { git } from '../../test/support/git.ts';

/** Each commit of ours after `since` that was put on top of a text that another person had changed since it was decided. */
export async function describeMerges(repository: string, since: string): Promise<string> {
  const log = await git(repository, 'log', '--reverse', '--format=%H %an %s', `${since}..main`);
  const parts: string[] = [];
  for (const line of log.split('\n').filter(Boolean)) {
    const [commit = ''] = line.split(' ');
    parts.push(
      `=== ${line}\n${await git(repository, 'show', '--format=', '--word-diff=plain', '--unified=0', commit)}`,
    );
  }
  return parts.join('\n');
}
