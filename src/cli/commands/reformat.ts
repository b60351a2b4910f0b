// colophon reformat: gives documents' files the other format.
import type { Command } from 'commander';
import { failure, withApiHint } from '../failure.ts';
import type { CliPorts, Reformatted } from '../ports.ts';
import { createProgress } from '../progress.ts';
import { addPlaceOptions, chooseSite, type PlaceOptions, toEnvOfData } from '../settings.ts';

interface ReformatOptions extends PlaceOptions {
  dryRun?: boolean;
}

const HELP = `
Rewrites the files of collections in the format that the configuration names: with "format: 'markdown'" as
content/<collection>/<slug>.md with front matter, else as content/<collection>/<slug>.json. Makes one commit per
collection; documents, ids and history stay. Without names, all collections are rewritten. The service must be stopped;
it reads both formats.

Exit code 1 if a file was left as it is: it is not a document, or its document has a file in both formats. 75 if another
process has the data folder.`;

export function addReformat(program: Command, ports: CliPorts): void {
  const command = program
    .command('reformat')
    .description('rewrite the files of collections in the format that the configuration names')
    .argument('[collection...]', 'collections to rewrite (all of them)')
    .option('--dry-run', 'report what would be done, write nothing')
    .addHelpText('after', HELP);
  addPlaceOptions(command).action(async (collections: string[], options: ReformatOptions) => {
    const startedAt = performance.now();
    const env = toEnvOfData(ports, options);
    const site = await chooseSite(ports, env, options.site);
    const progress = createProgress(ports);
    progress.opening();
    const isDryRun = options.dryRun ?? false;
    const rewriting = ports
      .reformatSite(env, site, { collections, isDryRun, onProgress: progress.show })
      .finally(progress.end);
    const results = await withApiHint(rewriting, 'stop it first: files are rewritten while nothing else writes');
    printReport(ports, results, isDryRun, performance.now() - startedAt);
  });
}

function printReport(ports: CliPorts, results: readonly Reformatted[], isDryRun: boolean, durationMs: number): void {
  const prefix = isDryRun ? 'dry run: ' : '';
  for (const { collection, isMarkdown, moved, blocked, unreadable } of results) {
    for (const { from, to } of blocked)
      ports.err(`"${from}" was left as it is, because "${to}" exists too; remove one of them\n`);
    for (const { path, problem } of unreadable) ports.err(`"${path}" was left as it is: ${problem}\n`);
    const what = `${moved} ${moved === 1 ? 'file' : 'files'} rewritten as ${isMarkdown ? 'Markdown' : 'JSON'}`;
    ports.out(`${prefix}${collection}: ${moved ? what : 'nothing to rewrite'}\n`);
  }
  if (results.some(({ moved }) => moved > 0) && !isDryRun) ports.out(`done in ${(durationMs / 1000).toFixed(1)} s\n`);
  const left = results.reduce((sum, { blocked, unreadable }) => sum + blocked.length + unreadable.length, 0);
  if (left > 0) throw failure(`${left} ${left === 1 ? 'file was' : 'files were'} not rewritten`);
}
