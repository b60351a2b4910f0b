// A repository that git itself writes, and trees that it would not: for what pushes may bring.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface GitFolder extends Disposable {
  root: string;
  repository: string;
  write(files: Record<string, string>): void;
  link(file: string, target: string): void;
  chmod(file: string): void;
  blob(text: string): string;
  tree(entries: { mode: string; name: string; oid: string }[]): string;
  /** Makes this tree the head; without it the head is what was written. */
  commitTree(tree: string): void;
  head(): string;
}

export function makeGitFolder(): GitFolder {
  const root = mkdtempSync(join(tmpdir(), 'colophon-git-'));
  const work = join(root, 'work');
  mkdirSync(work);
  const env = {
    PATH: process.env.PATH,
    ...{ GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' },
    GIT_CONFIG_GLOBAL: '/dev/null',
  };
  const git = (args: string[], input?: Buffer | string): string =>
    execFileSync('git', args, { cwd: work, env, input: input ?? '' }).toString().trim();
  git(['init', '-q', '-b', 'main']);
  let made: string | undefined;
  const at = (file: string): string => {
    mkdirSync(dirname(join(work, file)), { recursive: true });
    return join(work, file);
  };
  return {
    root,
    repository: join(work, '.git'),
    write(files) {
      for (const [file, text] of Object.entries(files)) writeFileSync(at(file), text);
    },
    link: (file, target) => symlinkSync(target, at(file)),
    chmod: (file) => chmodSync(join(work, file), 0o755),
    blob: (text) => git(['hash-object', '-w', '--stdin'], text),
    tree(entries) {
      const bytes = entries.flatMap(({ mode, name, oid }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
      return git(['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], Buffer.concat(bytes));
    },
    commitTree: (tree) => void (made = git(['commit-tree', tree, '-m', 'made'])),
    head() {
      if (made) return made;
      git(['add', '-A']);
      git(['commit', '-q', '-m', 'all']);
      return git(['rev-parse', 'HEAD']);
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
