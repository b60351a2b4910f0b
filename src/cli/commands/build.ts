// colophon build: the site's pages as a folder of files.
import path from 'node:path';
import type { Command } from 'commander';
import { failure } from '../failure.ts';
import type { CliPorts } from '../ports.ts';
import { createProgress } from '../progress.ts';
import { addPlaceOptions, chooseSite, type PlaceOptions, toEnv } from '../settings.ts';

interface BuildCommandOptions extends PlaceOptions {
  profile?: string;
  out?: string;
  full?: boolean;
}

const HELP = `
Builds the newest commit of the site's branch, with its theme (build.theme, else theme/ beside the configuration, else the
built-in one) or the command of the profile. Works while a service runs. Only pages that differ from the last build are
made; --full makes all of them.

The folder is that of the profile (dist), below the working directory. A folder with files that no build made is left alone.
If anything is wrong, each problem is printed with its file, line and document, the old site stays as it was, and the
exit code is 1.`;

export function addBuild(program: Command, ports: CliPorts): void {
  const command = program
    .command('build')
    .description("build the site's pages into a folder")
    .option('--profile <name>', 'profile of the configuration to build')
    .option('--out <dir>', 'folder to write to')
    .option('--full', 'make every page, whatever is known of the last build')
    .addHelpText('after', HELP);
  addPlaceOptions(command).action(async (options: BuildCommandOptions) => {
    const startedAt = performance.now();
    const env = toEnv(ports, options);
    const entry = await chooseSite(ports, env, options.site);
    const progress = createProgress(ports);
    progress.opening();
    const { problems, built } = await ports
      .buildSite(env, entry, {
        profile: options.profile,
        outDir: options.out,
        isFull: options.full === true,
        log: (text) => {
          progress.end();
          ports.err(text);
        },
        onProgress: progress.show,
      })
      .finally(progress.end);
    for (const problem of problems) ports.err(`${problem}\n`);
    if (!built)
      throw failure(
        `site "${entry.id}" is not built: ${problems.length === 1 ? '1 problem' : `${problems.length} problems`}`,
      );
    const took = ((performance.now() - startedAt) / 1000).toFixed(1);
    ports.out(
      `${built.files} files in "${path.relative('.', built.folder) || '.'}" in ${took} s, of commit ${built.commit.slice(0, 10)}\n`,
    );
  });
}
