// Runs one command line and gives its exit code. Everything that goes wrong in a command ends here.
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { VERSION } from '../version.ts';
import { exitCodeOf, toErrorText } from './failure.ts';
import { dataFolderProblem } from './folder-problem.ts';
import type { CliPorts } from './ports.ts';
import type { PlaceOptions } from './settings.ts';

type AddCommand = (program: Command, ports: CliPorts) => void;

/** In the order of the help. A command line loads its own command alone. */
const COMMANDS: Record<string, () => Promise<AddCommand>> = {
  start: async () => (await import('./commands/start.ts')).addStart,
  init: async () => (await import('./commands/init.ts')).addInit,
  check: async () => (await import('./commands/check.ts')).addCheck,
  new: async () => (await import('./commands/new.ts')).addNew,
  import: async () => (await import('./commands/import.ts')).addImport,
  export: async () => (await import('./commands/export.ts')).addExport,
  build: async () => (await import('./commands/build.ts')).addBuild,
  verify: async () => (await import('./commands/verify.ts')).addVerify,
  backup: async () => (await import('./commands/backup.ts')).addBackup,
  restore: async () => (await import('./commands/restore.ts')).addRestore,
  reshard: async () => (await import('./commands/reshard.ts')).addReshard,
  reformat: async () => (await import('./commands/reformat.ts')).addReformat,
  serve: async () => (await import('./commands/serve.ts')).addServe,
  user: async () => (await import('./commands/user.ts')).addUser,
  token: async () => (await import('./commands/token.ts')).addToken,
  mcp: async () => (await import('./commands/mcp.ts')).addMcp,
  site: async () => (await import('./commands/site.ts')).addSite,
  'git-setup': async () => (await import('./commands/git-setup.ts')).addGitSetup,
  'git-textconv': async () => (await import('./commands/git-setup.ts')).addGitTextconv,
  'git-merge': async () => (await import('./commands/git-setup.ts')).addGitMerge,
  openapi: async () => (await import('./commands/openapi.ts')).addOpenapi,
  types: async () => (await import('./commands/types.ts')).addTypes,
};

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
  const [first = ''] = argv;
  const wanted = Object.hasOwn(COMMANDS, first) ? [COMMANDS[first]!] : Object.values(COMMANDS);
  for (const load of wanted) (await load())(program, ports);
  let dataDir = ports.variables.CMS_DATA_DIR || '.data';
  let giveBack = (): void => undefined;
  program.hook('preAction', (_, command) => {
    dataDir = command.opts<PlaceOptions>().data ?? dataDir;
    const usesData = command.options.some(({ long }) => long === '--data');
    // The service goes on after this function, and keeps what it makes.
    if (usesData && command.name() !== 'start') giveBack = ports.rememberOwner(path.resolve(dataDir));
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
  } finally {
    giveBack();
  }
}
