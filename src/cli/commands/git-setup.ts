// colophon git-setup: makes a clone show and merge documents by their texts. `.gitattributes` names the drivers; what they
// run is each clone's own setting, because git takes no programs from a repository.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { failure } from '../failure.ts';
import type { CliPorts } from '../ports.ts';

const HELP = `
Run it once in a clone of a site's repository. Afterwards "git diff", "git show" and "git log -p" show texts line by line,
and "git merge", "git pull" and "git rebase" merge documents field by field and their texts paragraph by paragraph. If both
sides changed the same words, the file stays valid with the words of the current branch, and git reports a conflict.

If git-lfs is installed, "git lfs install --local" runs too, so that files in media/ have their bytes, and a push sends new
ones. Without it they are short pointer files.

Changes diff.colophon-json, merge.colophon-json, merge.colophon-markdown and filter.lfs in the clone's own configuration,
and adds the hooks of git-lfs; nothing else.`;

export function addGitSetup(program: Command, ports: CliPorts): void {
  program
    .command('git-setup')
    .description('make a clone of a site show and merge documents by their texts, with the bytes of media')
    .argument('[folder]', 'the clone', '.')
    .addHelpText('after', HELP)
    .action((folder: string) => {
      const self = [process.execPath, process.argv[1] ?? ''].map(quote).join(' ');
      const settings = {
        'diff.colophon-json.textconv': `${self} git-textconv`,
        'diff.colophon-json.cachetextconv': String(hasIdentity(folder)),
        'merge.colophon-json.name': 'documents of Colophon',
        'merge.colophon-json.driver': `${self} git-merge %O %A %B %P`,
        'merge.colophon-markdown.name': 'documents of Colophon in Markdown',
        'merge.colophon-markdown.driver': `${self} git-merge %O %A %B %P`,
      };
      for (const [key, value] of Object.entries(settings)) configure(folder, key, value);
      ports.out('this clone shows and merges documents by their texts now\n');
      ports.out(`${setUpLfs(folder)}\n`);
    });
}

/** The cache is a commit of its own: without a name and an address for it, `git show` would fail. */
function hasIdentity(folder: string): boolean {
  return spawnSync('git', ['-C', folder, 'var', 'GIT_COMMITTER_IDENT']).status === 0;
}

/** For the shell in which git runs drivers. */
function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

function configure(folder: string, key: string, value: string): void {
  try {
    execFileSync('git', ['-C', folder, 'config', '--local', key, value], { stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const { code, stderr } = error as { code?: string; stderr?: Buffer };
    if (code === 'ENOENT') throw failure('git is not installed, or not in PATH');
    throw failure(`"${folder}" cannot be set up: ${String(stderr).split('\n')[0]}; run this in a clone`);
  }
}

/** Returns what media are in the clone from now on. */
function setUpLfs(folder: string): string {
  const lfs = (...args: string[]) => spawnSync('git', ['-C', folder, 'lfs', ...args], { encoding: 'utf8' });
  if (lfs('version').status !== 0) {
    return 'git-lfs is not installed: files in media/ are pointers without their bytes; install it (https://git-lfs.com) and run this again';
  }
  const { status, stdout, stderr } = lfs('install', '--local');
  // Most often another program's hook is in the way.
  if (status !== 0) {
    const [reason = ''] = `${stderr}${stdout}`.trim().split('\n');
    throw failure(`git-lfs cannot be set up: ${reason}; see "git lfs update --manual", and run this again`);
  }
  return 'files in media/ have their bytes by git-lfs: "git lfs pull" brings those that are not here yet';
}

/** What git runs to show a file. */
export function addGitTextconv(program: Command, ports: CliPorts): void {
  program
    .command('git-textconv <file>', { hidden: true })
    .description('print a document with its texts as lines (for git, see git-setup)')
    .action(async (file: string) => ports.out(await ports.toReadableText(readFileSync(file, 'utf8'))));
}

/** What git runs to merge a file: writes the result to `ours`. Exit code 1 is a conflict to git. */
export function addGitMerge(program: Command, ports: CliPorts): void {
  program
    .command('git-merge <base> <ours> <theirs> [path]', { hidden: true })
    .description('merge a document that both sides changed (for git, see git-setup)')
    .action(async (base: string, ours: string, theirs: string, path = ours) => {
      const texts = [base, ours, theirs].map((file) => readFileSync(file, 'utf8')) as [string, string, string];
      const merged = await ports.mergeDocumentFiles(path, texts);
      if (!merged) return mergeAsText(base, ours, theirs, path);
      writeFileSync(ours, merged.text);
      if (merged.conflicts.length === 0) return;
      const fields = merged.conflicts.map((field) => `"${field}"`).join(', ');
      throw failure(
        `"${path}": both sides changed ${fields}; the file has the current branch's (theirs: git show :3:${path})`,
      );
    });
}

function mergeAsText(base: string, ours: string, theirs: string, path: string): void {
  const { status } = spawnSync('git', ['merge-file', '-L', 'ours', '-L', 'base', '-L', 'theirs', ours, base, theirs]);
  if (status !== 0) throw failure(`"${path}" is merged as text, because it is not a document; it has conflicts`);
}
