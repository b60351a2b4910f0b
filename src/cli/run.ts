// Runs one command line and gives its exit code. Everything that goes wrong in a command ends here.
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { addBackup } from './commands/backup.ts';
import { addBuild } from './commands/build.ts';
import { addExport } from './commands/export.ts';
import { addImport } from './commands/import.ts';
import { addInit } from './commands/init.ts';
import { addOpenapi } from './commands/openapi.ts';
import { addReshard } from './commands/reshard.ts';
import { addRestore } from './commands/restore.ts';
import { addServe } from './commands/serve.ts';
import { addSite } from './commands/site.ts';
import { addStart } from './commands/start.ts';
import { addToken } from './commands/token.ts';
import { addUser } from './commands/user.ts';
import { addVerify } from './commands/verify.ts';
import { exitCodeOf, toErrorText } from './failure.ts';
import { dataFolderProblem } from './folder-problem.ts';
import type { CliPorts } from './ports.ts';
import type { PlaceOptions } from './settings.ts';

const COMMANDS = [
  addStart,
  addInit,
  addImport,
  addExport,
  addBuild,
  addVerify,
  addBackup,
  addRestore,
  addReshard,
  addServe,
  addUser,
  addToken,
  addSite,
  addOpenapi,
];

const HELP = `
Options override the environment variables named after them. Exit codes: 0 done, 1 an error, 70 a bug in Colophon,
74 the disk failed, 75 the data folder is in use by another process.`;

export async function run(argv: readonly string[], ports: CliPorts): Promise<number> {
  const program = new Command('colophon')
    .description('a headless content service whose only source of truth is a git repository')
    .version(VERSION)
    .addHelpText('after', HELP)
    .showHelpAfterError('(colophon --help shows the commands and options)')
    .configureOutput({ writeOut: ports.out, writeErr: ports.err })
    .exitOverride();
  // Subcommands inherit the settings above when they are made.
  for (const add of COMMANDS) add(program, ports);
  let dataDir = ports.variables.CMS_DATA_DIR || '.data';
  program.hook('preAction', (_, command) => {
    dataDir = command.opts<PlaceOptions>().data ?? dataDir;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has already printed its message: help, the version, or what is wrong with the command line.
    if (error instanceof CommanderError) return error.exitCode;
    const isDebug = ports.variables.LOG_LEVEL === 'debug';
    const problem = isDebug ? undefined : dataFolderProblem(error, path.resolve(dataDir));
    ports.err(problem ? `colophon: ${problem}\n` : toErrorText(error, isDebug));
    return exitCodeOf(error);
  }
}
