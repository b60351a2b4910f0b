// colophon check: holds the content of a clone, or of the folder beside the configuration, against the configuration.
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { failure } from '../failure.ts';
import type { CliPorts } from '../ports.ts';
import { addPlaceOptions, chooseSite, type PlaceOptions, toEnv } from '../settings.ts';
import { readWorkingTree } from '../working-tree.ts';

const HELP = `
Checks what a push is checked for, in the same sentences, and a configuration as a start does. No service has to run, and
nothing is changed. The folder is a clone of the site's repository, whose configuration --config names; without it the
documents beside the configuration are checked, which a start plants once.

Exit code 1 if a push would be refused, or a start would leave a file out. Warnings do not count.`;

export function addCheck(program: Command, ports: CliPorts): void {
  const command = program
    .command('check')
    .description('hold the content of a clone, or beside the configuration, against the configuration, as a push is')
    .argument('[folder]', "a clone of the site's repository, or the configuration's folder (the default)")
    .option('--json', 'print the report as JSON')
    .addHelpText('after', HELP);
  addPlaceOptions(command).action(async (given: string | undefined, options: PlaceOptions & { json?: boolean }) => {
    const env = toEnv(ports, options);
    const site = await chooseSite(ports, env, options.site);
    const beside = path.dirname(path.resolve(site.configPath));
    const folder = path.resolve(given ?? beside);
    if (!fs.existsSync(folder)) throw failure(`there is no folder "${folder}"`);
    const clone = findClone(folder, beside);
    const files = clone === undefined ? undefined : readWorkingTree(clone, ports.variables);
    const report = await ports.checkFolder(env, site, { files, now: ports.now() });
    const { documents, problems, warnings, start } = report;
    if (options.json) ports.out(`${JSON.stringify({ folder, ...report }, null, 2)}\n`);
    else {
      for (const line of problems) ports.out(`${toText(line)}\n`);
      for (const line of warnings) ports.out(`warning: ${toText(line)}\n`);
      if (start !== undefined) ports.out(`${start}\n`);
      if (problems.length === 0) ports.out(`${documents} ${documents === 1 ? 'document fits' : 'documents fit'}\n`);
    }
    if (problems.length > 0)
      throw failure(`${problems.length === 1 ? 'one problem' : `${problems.length} problems`} in "${folder}"`);
  });
}

function toText({ path: at, message }: { path: string; message: string }): string {
  return at === '' ? message : `${at}: ${message}`;
}

/** The clone's top folder; undefined for the folder of the configuration, or one around it that is not a clone. */
function findClone(folder: string, beside: string): string | undefined {
  for (let at = folder; ; at = path.dirname(at)) {
    const content = path.join(at, 'content');
    // A project that has the configuration in content/ is not a clone: no push may bring it there.
    if (fs.existsSync(path.join(at, '.git')) && fs.existsSync(content) && content !== beside) return at;
    if (path.dirname(at) === at) break;
  }
  if (!path.relative(folder, beside).startsWith('..')) return undefined;
  throw failure(
    `"${folder}" is neither a clone of the site's repository nor the folder of the configuration; ` +
      'name a clone, and its configuration with --config',
  );
}
