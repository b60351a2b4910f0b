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

Changes diff.colophon-json and merge.colophon-json in the clone's own configuration, and nothing else.`;

export function addGitSetup(program: Command, ports: CliPorts): void {
  program
    .command('git-setup')
    .description('make a clone of a site show and merge documents by their texts')
    .argument('[folder]', 'the clone', '.')
    .addHelpText('after', HELP)
    .action((folder: string) => {
      const self = [process.execPath, process.argv[1] ?? ''].map(quote).join(' ');
      const settings = {
        'diff.colophon-json.textconv': `${self} git-textconv`,
        'diff.colophon-json.cachetextconv': 'true',
        'merge.colophon-json.name': 'documents of Colophon',
        'merge.colophon-json.driver': `${self} git-merge %O %A %B %P`,
      };
      for (const [key, value] of Object.entries(settings)) configure(folder, key, value);
      ports.out('this clone shows and merges documents by their texts now\n');
    });
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
      const merged = await ports.mergeDocumentFiles(...texts);
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
