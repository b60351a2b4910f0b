// colophon verify: is the content repository sound, and do the documents follow from its log?
import type { Command } from 'commander';
import { failure } from './failure.ts';
import type { CliPorts } from './ports.ts';
import { createProgress } from './progress.ts';
import { addPlaceOptions, chooseSite, type PlaceOptions, toEnvOfData } from './settings.ts';

const HELP = `
Checks the structure of the content repository, folds its log into documents and compares them with the tree and the
index, and media with their hashes. A site that is being served is read beside the service: every object and the media of
the newest commit, without the index and without what the branch does not have yet.

Exit code 1 if anything is wrong.`;

export function addVerify(program: Command, ports: CliPorts): void {
  const command = program
    .command('verify')
    .description('check the content repository against its log and the index')
    .addHelpText('after', HELP);
  addPlaceOptions(command).action(async (options: PlaceOptions) => {
    const env = toEnvOfData(ports, options);
    const site = await chooseSite(ports, env, options.site);
    const progress = createProgress(ports);
    const report = await ports.verifySite(env, site, progress.show).finally(progress.end);
    const { besidePid } = report;
    if (besidePid !== undefined)
      ports.err(`read beside process ${besidePid}: its index and its write-ahead log were not\n`);
    for (const [name, count] of Object.entries(report.counts)) ports.out(`${name}: ${count}\n`);
    for (const warning of report.warnings) ports.err(`warning: ${warning}\n`);
    for (const problem of report.problems) ports.err(`${problem}\n`);
    const { length } = report.problems;
    if (length > 0) throw failure(`site ${site.id}: ${length} ${length === 1 ? 'problem' : 'problems'}`);
    ports.out(`site ${site.id}: sound\n`);
  });
}
