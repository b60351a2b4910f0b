// External commits made with git, without a work tree: any path, any mode, any parents.
import { execFileSync } from 'node:child_process';

/** A file's text, or text and mode. */
export type Entry = string | { mode: string; text: string };

const ENV = {
  PATH: process.env.PATH ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Grace',
  GIT_AUTHOR_EMAIL: 'grace@example.com',
  GIT_AUTHOR_DATE: '1767400000 +0000',
  GIT_COMMITTER_NAME: 'Grace',
  GIT_COMMITTER_EMAIL: 'grace@example.com',
  GIT_COMMITTER_DATE: '1767400000 +0000',
};

interface Options {
  input?: string | Buffer;
}

/** Runs git on the repository and returns its output. */
export function git(repository: string, ...args: (string | Options)[]): string {
  const { input = '' } = args.find((arg): arg is Options => typeof arg !== 'string') ?? {};
  return execFileSync('git', ['-C', repository, ...args.filter((arg) => typeof arg === 'string')], {
    env: ENV,
    input,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'pipe'],
    maxBuffer: 64 << 20,
  });
}

/** The tree of a commit (or the empty one) with these files written, or removed (null). One process for all. */
export function treeOf(repository: string, files: Record<string, Entry | null>, base?: string): string {
  const ref = `refs/external-${process.pid}`;
  const lines: string[] = [`commit ${ref}\ncommitter G <g@e> 1 +0000\ndata 0\n`];
  if (base) lines.push(`from ${base}\n`);
  for (const [file, entry] of Object.entries(files)) {
    const quoted = `"${file.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
    if (entry === null) lines.push(`D ${quoted}\n`);
    else {
      const { mode, text } = typeof entry === 'string' ? { mode: '100644', text: entry } : entry;
      lines.push(`M ${mode} inline ${quoted}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
    }
  }
  git(
    repository,
    { input: lines.join('') },
    '-c',
    'core.protectNTFS=false',
    '-c',
    'core.protectHFS=false',
    'fast-import',
    '--quiet',
    '--force',
  );
  const tree = git(repository, 'rev-parse', `${ref}^{tree}`).trim();
  git(repository, 'update-ref', '-d', ref);
  return tree;
}

/** Makes a commit of files on top of others; moves `ref` if one is named. Returns the commit. */
export function commitBeside(
  repository: string,
  files: Record<string, Entry | null>,
  parents?: readonly string[],
  ref?: string,
): string {
  const tips = parents ?? [git(repository, 'rev-parse', ref ?? 'refs/heads/main').trim()];
  const tree = treeOf(repository, files, tips[0]);
  const commit = git(repository, 'commit-tree', tree, ...tips.flatMap((tip) => ['-p', tip]), '-m', 'by hand').trim();
  if (!ref) return commit;
  try {
    // As a push does: if the branch has moved meanwhile, the commit goes on top of its present tip.
    git(repository, 'update-ref', ref, commit, ...(parents ? [] : tips));
  } catch (error) {
    if (parents) throw error;
    return commitBeside(repository, files, parents, ref);
  }
  return commit;
}
