// colophon reshard: moves documents' files into shards, or out of them.
import type { Command } from 'commander';
import { failure, withApiHint } from '../failure.ts';
import type { CliPorts, Resharded } from '../ports.ts';
import { createProgress } from '../progress.ts';
import { addPlaceOptions, chooseSite, type PlaceOptions, toEnvOfData } from '../settings.ts';

interface ReshardOptions extends PlaceOptions {
  dryRun?: boolean;
}

const HELP = `
Moves the files of collections to the layout that the configuration names: with "sharded: true" to
content/<collection>/<2 hex digits>/<slug>.json, else to content/<collection>/<slug>.json. Makes one commit per collection;
ids, entity tags and history stay. Without names, all collections are moved. The service must be stopped; it reads both
layouts.

Exit code 1 if a document has a file in both layouts: remove one of them. 75 if another process has the data folder.`;

export function addReshard(program: Command, ports: CliPorts): void {
  const command = program
    .command('reshard')
    .description('move the files of collections to the layout that the configuration names')
    .argument('[collection...]', 'collections to move (all of them)')
    .option('--dry-run', 'report what would be done, write nothing')
    .addHelpText('after', HELP);
  addPlaceOptions(command).action(async (collections: string[], options: ReshardOptions) => {
    const startedAt = performance.now();
    const env = toEnvOfData(ports, options);
    const site = await chooseSite(ports, env, options.site);
    const progress = createProgress(ports);
    progress.opening();
    const isDryRun = options.dryRun ?? false;
    const moving = ports
      .reshardSite(env, site, { collections, isDryRun, onProgress: progress.show })
      .finally(progress.end);
    const results = await withApiHint(moving, 'stop it first: files are moved while nothing else writes');
    printReport(ports, results, isDryRun, performance.now() - startedAt);
  });
}

function printReport(ports: CliPorts, results: readonly Resharded[], isDryRun: boolean, durationMs: number): void {
  const prefix = isDryRun ? 'dry run: ' : '';
  for (const { collection, isSharded, moved, blocked } of results) {
    for (const { from, to } of blocked)
      ports.err(`"${from}" was left in place, because "${to}" exists too; remove one of them\n`);
    const what = `${moved} ${moved === 1 ? 'file' : 'files'} moved ${isSharded ? 'into' : 'out of'} shards`;
    ports.out(`${prefix}${collection}: ${moved ? what : 'nothing to move'}\n`);
  }
  if (results.some(({ moved }) => moved > 0) && !isDryRun) ports.out(`done in ${(durationMs / 1000).toFixed(1)} s\n`);
  const left = results.reduce((sum, { blocked }) => sum + blocked.length, 0);
  if (left > 0) throw failure(`${left} ${left === 1 ? 'file was' : 'files were'} not moved`);
}
