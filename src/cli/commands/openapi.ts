// colophon openapi: the site's API as the service describes it at /api/openapi.json.
import { writeFileSync } from 'node:fs';
import type { Command } from 'commander';
import { toFilePlaceError } from '../place-problem.ts';
import type { CliPorts } from '../ports.ts';
import { addPlaceOptions, chooseSite, type PlaceOptions, toEnv } from '../settings.ts';

export function addOpenapi(program: Command, ports: CliPorts): void {
  const command = program
    .command('openapi')
    .description("print the API as OpenAPI 3.1, with the site's collections as types")
    .option('--out <file>', 'write to this file instead of standard output');
  addPlaceOptions(command).action(async (options: PlaceOptions & { out?: string }) => {
    const env = toEnv(ports, options);
    const site = await chooseSite(ports, env, options.site);
    const text = `${JSON.stringify(await ports.describeSite(env, site), null, 2)}\n`;
    if (options.out === undefined) ports.out(text);
    else writeTo(options.out, text);
  });
}

function writeTo(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw toFilePlaceError(error, file);
  }
}
