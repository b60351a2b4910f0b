// colophon export: documents become files that the import reads back.
import { type Command, Option } from 'commander';
import { type ExportFormat, writeFolder } from '../../transfer/write-folder.ts';
import type { CliPorts } from '../ports.ts';
import { createProgress } from '../progress.ts';
import { addPlaceOptions, toList } from '../settings.ts';
import { addApiOptions, openTransferSite, type TransferOptions } from '../transfer-site.ts';

interface ExportCommandOptions extends TransferOptions {
  format: ExportFormat;
  collection?: string;
  force?: boolean;
}

const HELP = `
Writes <dir>/<collection>/<slug>.md or .json; importing the folder again changes nothing. JSON has the whole document
without its field metadata. Markdown has no id and no dates of creation and change; a document that Markdown cannot carry
exactly is written as JSON. Media and history are not exported; see colophon backup and git clone for these.

With --url the documents come from the API of a running service; the token needs content:read.`;

export function addExport(program: Command, ports: CliPorts): void {
  const command = program
    .command('export')
    .description('write the documents as files that import reads back')
    .argument('<dir>', 'folder to write to, empty or new')
    .addOption(new Option('--format <format>', 'file format').choices(['md', 'json']).default('md'))
    .option('--collection <names>', 'only these collections, with commas between them')
    .option('--force', 'write into a folder that is not empty')
    .addHelpText('after', HELP);
  addApiOptions(addPlaceOptions(command)).action(async (folder: string, options: ExportCommandOptions) => {
    const startedAt = performance.now();
    const progress = createProgress(ports);
    const { site, close } = await openTransferSite(ports, options, { progress, needsData: true });
    try {
      const { written, asJson } = await writeFolder(folder, site, {
        format: options.format,
        force: options.force,
        collections: options.collection === undefined ? undefined : toList(options.collection),
        onProgress: (done) => progress.show(`${done} documents`),
      });
      progress.end();
      for (const name of asJson) ports.err(`${name}: written as JSON, because Markdown cannot carry it exactly\n`);
      ports.out(`${written} written in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`);
    } finally {
      progress.end();
      await close();
    }
  });
}
