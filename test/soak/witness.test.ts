// What git reports about the branch, whatever the clocks that dated its commits.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { git, readLine } from '../../scripts/soak/witness.ts';
import { makePlace } from '../support/process.ts';

const COMMITS = 40;
const SET_BACK_AT = 10;
const DAY_S = 86_400;
const NOW_S = 1_767_225_600;

test('commits from before the last quiet moment are not counted again, even if the clock was set back', async () => {
  await using place = makePlace();
  await git(place.folder, ['init', '--quiet', '--bare', '--initial-branch=main', place.repository]);
  const tree = (await git(place.repository, ['mktree'])).trim();

  async function commit(atS: number, ...parents: string[]): Promise<string> {
    const person = { NAME: 'Grace', EMAIL: 'grace@example.org', DATE: `${atS} +0000` };
    const env = Object.fromEntries(
      Object.entries(person).flatMap(([key, value]) => [
        [`GIT_AUTHOR_${key}`, value],
        [`GIT_COMMITTER_${key}`, value],
      ]),
    );
    const args = ['commit-tree', tree, ...parents.flatMap((id) => ['-p', id]), '-m', 'change\n\nChange-Id: one'];
    return (await git(place.repository, args, { env })).trim();
  }

  const line = [await commit(NOW_S)];
  for (let n = 1; n < COMMITS; n++) line.push(await commit(NOW_S + n - (n > SET_BACK_AT ? DAY_S : 0), line.at(-1)!));
  const base = line.at(-1)!;
  // An external merge of work that started from an old state.
  const theirs = await commit(NOW_S + COMMITS, line[4]!);
  const head = await commit(NOW_S + COMMITS + 1, theirs, base);
  await git(place.repository, ['update-ref', 'refs/heads/main', head]);
  const merge = { commit: head, onto: base, files: [], startedAtMs: 0, doneAtMs: 1 };
  const { commits, beside } = await readLine(place.repository, base, [merge]);
  assert.equal(
    commits.map(({ id }) => id),
    [head],
  );
  assert.equal(
    beside.map(({ id }) => id),
    [theirs],
  );
});

test.run();
