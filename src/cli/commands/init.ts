// colophon init: a new site on disk that `npm install` and `npm start` serve. Must not overwrite a file, nor put its
// documents next to files that are not its own.
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { LOCK_FILE } from '../../lib/lock-file.ts';
import { makeFolders } from '../../lib/make-folders.ts';
import { listTemplates, readTemplate } from '../../templates/templates.ts';
import { failure } from '../failure.ts';
import { dependencyOn } from '../own-package.ts';
import { toFolderPlaceError } from '../place-problem.ts';
import type { CliPorts } from '../ports.ts';
import { CONFIG_FILE, npmSettings, packageFile, projectFiles, starterDocuments } from '../starter-files.ts';

const HELP = `
Writes content/cms.config.ts, two documents next to it, package.json, .npmrc and .gitignore. If content/ already has
documents, none are added. Existing files stay unchanged; next to an existing package.json no .npmrc is written.

With --template the site has the configuration, documents, pictures and theme of a template instead. "colophon init
--template list" prints their names.

Exit code 1 if content/cms.config.ts exists, or there is no such template; nothing is written then.`;

interface InitOptions {
  template?: string;
}

export function addInit(program: Command, ports: CliPorts): void {
  program
    .command('init')
    .description('write a new site: a configuration and two documents')
    .argument('[dir]', 'folder of the site, made if it is missing', '.')
    .option('--template <name>', 'start from a template: a whole site with pages, pictures and a theme')
    .addHelpText('after', HELP)
    .action((folder: string, { template }: InitOptions) => {
      if (template === 'list') return printTemplates(ports);
      const config = path.join(folder, CONFIG_FILE);
      if (fs.lstatSync(config, { throwIfNoEntry: false }))
        throw failure(`"${config}" already exists; nothing was written`);
      const found = template === undefined ? undefined : findTemplate(template);
      const isProject = fs.existsSync(path.join(folder, 'package.json'));
      const hasDocuments = listDocuments(path.join(folder, 'content')).length > 0;
      // Documents of others would be in collections that the template does not have.
      if (found && hasDocuments) throw failure(`"${folder}/content" has documents already; nothing was written`);
      writeFiles(ports, folder, {
        ...projectFiles(),
        ...packageFile(path.basename(path.resolve(folder)), dependencyOn(folder, program.version() ?? '')),
        ...(isProject ? {} : npmSettings()),
        ...(found ? Object.fromEntries(found) : hasDocuments ? {} : starterDocuments(ports.now())),
      });
      const enter = path.resolve(folder) === process.cwd() ? '' : `cd ${folder} && `;
      ports.out(`start it with: ${enter}npm install && npm start\n`);
      ports.out('it runs on its own Node, which npm install brings\n');
    });
}

function printTemplates(ports: CliPorts): void {
  for (const { name, title, description } of listTemplates())
    ports.out(`${name.padEnd(12)} ${title}: ${description}\n`);
}

/** @throws CliFailure that names the templates */
function findTemplate(name: string): Map<string, Buffer> {
  const names = listTemplates().map((template) => template.name);
  if (!names.includes(name)) throw failure(`template "${name}" does not exist; choose one of ${names.join(', ')}`);
  return readTemplate(name);
}

function writeFiles(ports: CliPorts, folder: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    if (fs.lstatSync(file, { throwIfNoEntry: false })) {
      const would =
        typeof content === 'string' ? `; a new site would have:\n${content.replace(/^/gm, '  ').trimEnd()}` : '';
      ports.err(`"${file}" already exists and stays unchanged${would}\n`);
      continue;
    }
    try {
      makeFolders(fs, path.dirname(file));
      fs.writeFileSync(file, content, { flag: 'wx' });
    } catch (error) {
      throw toFolderPlaceError(error, folder);
    }
    ports.out(`${file}\n`);
  }
}

/** Files that a first start would load as documents: `<collection>/<slug>.json`. */
function listDocuments(folder: string): string[] {
  const isData = (file: string): boolean => fs.existsSync(path.join(folder, path.dirname(file), LOCK_FILE));
  return fs.globSync('*/*.json', { cwd: folder }).filter((file) => !isData(file));
}
