// Runs one command line and gives its exit code. Everything that goes wrong in a command ends here.
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { addBackup } from './backup.ts';
import { addExport } from './export.ts';
import { exitCodeOf, toErrorText } from './failure.ts';
import { folderProblem } from './folder-problem.ts';
import { addImport } from './import.ts';
import { addInit } from './init.ts';
import { addOpenapi } from './openapi.ts';
import type { CliPorts } from './ports.ts';
import { addReshard } from './reshard.ts';
import { addRestore } from './restore.ts';
import type { PlaceOptions } from './settings.ts';
import { addSite } from './site.ts';
import { addStart } from './start.ts';
import { addToken } from './token.ts';
import { addUser } from './user.ts';
import { addVerify } from './verify.ts';

const COMMANDS = [
  addStart,
  addInit,
  addImport,
  addExport,
  addVerify,
  addBackup,
  addRestore,
  addReshard,
  addUser,
  addToken,
  addSite,
  addOpenapi,
];

const HELP = `
Options take the place of the environment's variables named behind them. Exit codes: 0 done, 1 an error, 70 a defect
of Colophon, 74 the disk failed, 75 the data folder is in use by another process.`;

export async function run(argv: readonly string[], ports: CliPorts): Promise<number> {
  const program = new Command('colophon')
    .description('a headless content service whose only source of truth is a git repository')
    .version(VERSION)
    .addHelpText('after', HELP)
    .showHelpAfterError('(colophon --help shows the commands and options)')
    .configureOutput({ writeOut: ports.out, writeErr: ports.err })
    .exitOverride();
  // Subcommands take over the settings above when they are made.
  for (const add of COMMANDS) add(program, ports);
  let dataDir = ports.variables.CMS_DATA_DIR || '.data';
  program.hook('preAction', (_, command) => {
    dataDir = command.opts<PlaceOptions>().data ?? dataDir;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has said what it had to say: help, the version, or what is wrong with the command line.
    if (error instanceof CommanderError) return error.exitCode;
    const isDebug = ports.variables.LOG_LEVEL === 'debug';
    const problem = isDebug ? undefined : folderProblem(error, path.resolve(dataDir));
    ports.err(problem ? `colophon: ${problem}\n` : toErrorText(error, isDebug));
    return exitCodeOf(error);
  }
}
