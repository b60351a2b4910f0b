// colophon types: the site's documents as TypeScript, for projects that do not import the configuration.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { loadConfig } from '../../config/load.ts';
import { printTypes } from '../../config/print-types.ts';
import { toFilePlaceError } from '../place-problem.ts';
import type { CliPorts } from '../ports.ts';
import { addPlaceOptions, chooseSite, type PlaceOptions, toEnv } from '../settings.ts';

const HELP = `
Reads the configuration alone: no service runs, and no data folder is needed. The file imports nothing; it compiles as .ts
and as .d.ts. Projects that use createCms get the same types from the configuration itself.`;

export function addTypes(program: Command, ports: CliPorts): void {
  const command = program
    .command('types')
    .description("print the site's collections as TypeScript: the data and the documents of each")
    .option('--out <file>', 'write to this file instead of standard output')
    .addHelpText('after', HELP);
  addPlaceOptions(command).action(async (options: PlaceOptions & { out?: string }) => {
    const site = await chooseSite(ports, toEnv(ports, options), options.site);
    const text = printTypes(await loadConfig(site.configPath));
    if (options.out === undefined) return ports.out(text);
    try {
      writeFileSync(options.out, text);
    } catch (error) {
      throw toFilePlaceError(error, options.out);
    }
  });
}
