// A clone that `colophon git-setup` has set up, with the git of this machine.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newAttributes } from '../../src/lib/git-attributes.ts';

const MAIN = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const BODY = 'The first paragraph is about a house by the sea.\n\nThe second paragraph is about the people in it.';

const toFile = (data: object, more: object = {}): string =>
  `${JSON.stringify({ id: 'AAAAAAAAAAAA', slug: 'a', collection: 'posts', status: 'draft', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z', ...more, data }, null, 2)}\n`;

function makeClone() {
  const folder = mkdtempSync(join(tmpdir(), "colophon it's-"));
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, LC_ALL: 'C', GIT_CONFIG_NOSYSTEM: '1' },
    ...{ GIT_AUTHOR_NAME: 'G', GIT_AUTHOR_EMAIL: 'g@example.org' },
    ...{ GIT_COMMITTER_NAME: 'G', GIT_COMMITTER_EMAIL: 'g@example.org' },
  };
  const run = (program: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, env, encoding: 'utf8' });
    return { code: status, out: stdout, err: stderr };
  };
  const git = (...args: string[]): string => {
    const { code, out, err } = run('git', ...args);
    assert.is(code, 0, `git ${args.join(' ')}: ${err}`);
    return out;
  };
  const file = join(folder, 'a.json');
  const commit = (text: string): void => {
    writeFileSync(file, text);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'By hand');
  };
  return {
    run,
    git,
    commit,
    read: () => readFileSync(file, 'utf8'),
    colophon: (...args: string[]) => run(process.execPath, MAIN, ...args),
    withPath(path: string, ...args: string[]) {
      const options = { cwd: folder, env: { ...env, PATH: path }, encoding: 'utf8' as const };
      const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], options);
      return { code: status, out: stdout, err: stderr };
    },
    /** Two branches from the same commit: `theirs`, and `main`, which is checked out. */
    fork(ours: string, theirs: string): void {
      git('checkout', '--quiet', '-B', 'theirs');
      commit(theirs);
      git('checkout', '--quiet', 'main');
      commit(ours);
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test('after git-setup, git shows texts as lines, and merges edits of different paragraphs', () => {
  using clone = makeClone();
  assert.is(clone.colophon('git-setup').code, 1, 'not a clone');
  clone.git('init', '--quiet', '--initial-branch=main');
  writeFileSync(
    join(clone.git('rev-parse', '--show-toplevel').trim(), '.gitattributes'),
    '*.json diff=colophon-json merge=colophon-json\n',
  );
  clone.commit(toFile({ title: 'T', body: BODY }));
  const set = clone.colophon('git-setup');
  assert.is(set.code, 0, set.err);

  const [ours, theirs] = [BODY.replace('house', 'mill'), BODY.replace('people', 'ghosts')];
  clone.fork(
    toFile({ title: 'T', body: ours }, { updatedAt: '2026-01-02T00:00:00.000Z' }),
    toFile({ title: 'Theirs', body: theirs, rank: 1 }, { updatedAt: '2026-01-03T00:00:00.000Z', locale: 'de' }),
  );
  const shown = clone.git('show', 'main');
  assert.match(shown, /^-\s+The first paragraph is about a house by the sea\.$/m);
  assert.match(shown, /^\+\s+The first paragraph is about a mill by the sea\.$/m);
  assert.not.match(shown, /^[-+].*second/m);

  clone.git('merge', '--quiet', '--no-edit', 'theirs');
  const merged = JSON.parse(clone.read());
  assert.equal(merged.data, { title: 'Theirs', body: ours.replace('people', 'ghosts'), rank: 1 });
  assert.is(merged.updatedAt > '2026-01-03', true);
  const keys = 'id slug collection status locale createdAt updatedAt data';
  assert.is(Object.keys(merged).join(' '), keys, 'in the order of the file format');
  assert.is(clone.read(), `${JSON.stringify(merged, null, 2)}\n`);

  const now = clone.read();
  clone.fork(now.replace('mill', 'castle'), now.replace('mill', 'tower').replace('ghosts', 'cats'));
  const conflict = clone.run('git', 'merge', '--quiet', '--no-edit', 'theirs');
  assert.is(conflict.code, 1);
  assert.match(conflict.err + conflict.out, /both sides changed "body"/);
  assert.match(JSON.parse(clone.read()).data.body, /castle.*cats/s);
  assert.match(clone.git('status', '--short'), /^UU a\.json/);

  clone.git('merge', '--abort');
  clone.fork('{ "no": "document" }\n', now.replace('mill', 'tower'));
  assert.is(clone.run('git', 'merge', '--quiet', '--no-edit', 'theirs').code, 1);
  assert.match(clone.read(), /^<<<<<<</m);
});

test('after git-setup, git merges neighbouring keys of front matter, in a merge as in a rebase', () => {
  using clone = makeClone();
  clone.git('init', '--quiet', '--initial-branch=main');
  const file = join(clone.git('rev-parse', '--show-toplevel').trim(), 'content/posts/a.md');
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(join(file, '../../../.gitattributes'), newAttributes());
  const commit = (title: string, summary: string): void => {
    writeFileSync(file, `---\ntitle: ${title}\nsummary: ${summary}\n---\nText.\n`);
    clone.git('add', '--all');
    clone.git('commit', '--quiet', '--message', 'By hand');
  };
  commit('A', 'B');
  clone.git('checkout', '--quiet', '-b', 'theirs');
  commit('A', 'Their summary');
  clone.git('checkout', '--quiet', 'main');
  commit('Our title', 'B');
  assert.is(clone.run('git', 'merge', '--quiet', '--no-edit', 'theirs').code, 1, 'without the driver');
  clone.git('merge', '--abort');
  assert.is(clone.colophon('git-setup').code, 0);
  clone.git('rebase', '--quiet', 'theirs');
  assert.is(readFileSync(file, 'utf8'), '---\ntitle: Our title\nsummary: Their summary\n---\nText.\n');
});

test('git-setup sets git-lfs up if it is installed, says so if not, and what to do about a hook in its way', () => {
  using clone = makeClone();
  clone.git('init', '--quiet', '--initial-branch=main');
  const top = clone.git('rev-parse', '--show-toplevel').trim();
  const bare = join(top, 'only-git');
  mkdirSync(bare);
  symlinkSync(execFileSync('which', ['git'], { encoding: 'utf8' }).trim(), join(bare, 'git'));
  const without = clone.withPath(bare, 'git-setup');
  assert.is(without.code, 0, without.err);
  assert.match(without.out, /git-lfs is not installed: .*pointers/);
  assert.is(clone.run('git', 'config', '--local', 'filter.lfs.clean').code, 1);

  const hook = join(top, '.git/hooks/pre-push');
  writeFileSync(hook, '#!/bin/sh\n');
  const inTheWay = clone.colophon('git-setup');
  assert.is(inTheWay.code, 1);
  assert.match(inTheWay.err, /Hook already exists: pre-push; see "git lfs update --manual"/);
  rmSync(hook);
  const set = clone.colophon('git-setup');
  assert.is(set.code, 0, set.err);
  assert.match(set.out, /git lfs pull/);
  assert.is(clone.git('config', '--local', 'filter.lfs.clean').trim(), 'git-lfs clean -- %f');
  assert.match(readFileSync(hook, 'utf8'), /git lfs pre-push/);
});

test.run();
