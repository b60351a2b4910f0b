// colophon new: writes the file of a new document into a clone of a site's repository.
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { slugProblem } from '../../lib/text/slug.ts';
import { failure } from '../failure.ts';
import { toFilePlaceError } from '../place-problem.ts';
import type { CliPorts } from '../ports.ts';
import { addPlaceOptions, chooseSite, type PlaceOptions, toEnv } from '../settings.ts';

interface NewOptions extends PlaceOptions {
  slug?: string;
  into: string;
}

const HELP = `
Run it in the folder of the site, and name a clone of the site's repository with --into; in a clone, name the
configuration with --config. Writes the file of its collection's format: a draft with every field of the collection, null
or its default value. In Markdown a comment says what each field takes; JSON has none, so the command prints it. Fill it
in, set "status" to "published" if it is meant to be public, then commit and push it. No file is replaced.`;

export function addNew(program: Command, ports: CliPorts): void {
  const command = program
    .command('new')
    .description('write the file of a new document into a clone, to be filled in, committed and pushed')
    .argument('<collection>', 'collection of the document')
    .option('--slug <slug>', "the document's slug, which is the file's name (untitled, untitled-2 and so on)")
    .option('--into <folder>', "clone of the site's repository", '.')
    .addHelpText('after', HELP);
  addPlaceOptions(command).action(async (collection: string, options: NewOptions) => {
    const problem = options.slug === undefined ? undefined : slugProblem(options.slug);
    if (problem) throw failure(`--slug "${options.slug}" cannot be used: ${problem}`);
    const env = toEnv(ports, options);
    const site = await chooseSite(ports, env, options.site);
    const into = path.resolve(options.into);
    if (!fs.existsSync(into)) throw failure(`there is no folder "${into}"; name a clone of the site's repository`);
    const clone = findClone(into, site.configPath);
    const file = await ports.newFile(env, site, {
      collection,
      slug: options.slug,
      now: ports.now(),
      has: (name) => fs.existsSync(path.join(clone, name)),
    });
    const target = path.join(clone, file.path);
    try {
      fs.mkdirSync(path.dirname(target), { recursive: true });
      fs.writeFileSync(target, file.content, { flag: 'wx' });
    } catch (error) {
      throw toFilePlaceError(error, target);
    }
    ports.out(`${target}\n`);
    // JSON has no comments.
    for (const note of file.notes) ports.err(`  ${note}\n`);
  });
}

/** The clone's top folder. Elsewhere nothing would ever read the file. */
function findClone(into: string, configPath: string): string {
  for (let folder = into; ; folder = path.dirname(folder)) {
    if (fs.existsSync(path.join(folder, '.git'))) {
      // A push may not bring a configuration into content/: this repository has the site's code, not its content.
      if (path.dirname(path.resolve(configPath)) === path.join(folder, 'content')) break;
      return folder;
    }
    if (path.dirname(folder) === folder) break;
  }
  throw failure(
    `"${into}" is not in a clone of the site's repository, and only a push brings a file into the site; ` +
      'make a clone with "git clone <address of the service>/git/<site>.git", and name it with --into',
  );
}
