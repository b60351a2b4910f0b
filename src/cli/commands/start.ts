// colophon start: serves the sites of the data folder.
import type { Command } from 'commander';
import type { CliPorts } from '../ports.ts';
import { addDataOption, type PlaceOptions, toVariables } from '../settings.ts';

interface StartCommandOptions extends PlaceOptions {
  port?: string;
  host?: string;
}

export function addStart(program: Command, ports: CliPorts): void {
  const command = program
    .command('start')
    .description('serve the sites of the data folder')
    .option('--port <number>', 'port to listen on, 0 for a free one (PORT, 3010)')
    .option('--host <address>', 'address to listen on (HOST, 127.0.0.1)')
    .option('--config <file>', 'configuration of the default site (CMS_CONFIG_PATH, content/cms.config.ts)');
  addDataOption(command).action(async ({ port, host, ...place }: StartCommandOptions) => {
    await ports.start({
      ...toVariables(ports, place),
      ...(port === undefined ? {} : { PORT: port }),
      ...(host === undefined ? {} : { HOST: host }),
    });
  });
}
