// colophon init: a new site on disk that `npm install` and `npm start` serve. Must not overwrite a file, nor put its
// documents next to files that are not its own.
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { LOCK_FILE } from '../../lib/lock-file.ts';
import { makeFolders } from '../../lib/make-folders.ts';
import { failure } from '../failure.ts';
import { dependencyOn } from '../own-package.ts';
import { toFolderPlaceError } from '../place-problem.ts';
import type { CliPorts } from '../ports.ts';
import { CONFIG_FILE, npmSettings, packageFile, projectFiles, starterDocuments } from '../starter-files.ts';

const HELP = `
Writes content/cms.config.ts, two documents next to it, package.json, .npmrc and .gitignore. If content/ already has
documents, none are added. Existing files stay unchanged; next to an existing package.json no .npmrc is written.

Exit code 1 if content/cms.config.ts exists; nothing is written then.`;

export function addInit(program: Command, ports: CliPorts): void {
  program
    .command('init')
    .description('write a new site: a configuration and two documents')
    .argument('[dir]', 'folder of the site, made if it is missing', '.')
    .addHelpText('after', HELP)
    .action((folder: string) => {
      const config = path.join(folder, CONFIG_FILE);
      if (fs.lstatSync(config, { throwIfNoEntry: false }))
        throw failure(`"${config}" already exists; nothing was written`);
      const isProject = fs.existsSync(path.join(folder, 'package.json'));
      const hasDocuments = listDocuments(path.join(folder, 'content')).length > 0;
      writeFiles(ports, folder, {
        ...projectFiles(),
        ...packageFile(path.basename(path.resolve(folder)), dependencyOn(folder, program.version() ?? '')),
        ...(isProject ? {} : npmSettings()),
        ...(hasDocuments ? {} : starterDocuments(ports.now())),
      });
      const enter = path.resolve(folder) === process.cwd() ? '' : `cd ${folder} && `;
      ports.out(`start it with: ${enter}npm install && npm start\n`);
      ports.out('it runs on its own Node, which npm install brings\n');
    });
}

function writeFiles(ports: CliPorts, folder: string, texts: Record<string, string>): void {
  for (const [name, text] of Object.entries(texts)) {
    const file = path.join(folder, name);
    if (fs.lstatSync(file, { throwIfNoEntry: false })) {
      ports.err(
        `"${file}" already exists and stays unchanged; a new site would have:\n${text.replace(/^/gm, '  ').trimEnd()}\n`,
      );
      continue;
    }
    try {
      makeFolders(fs, path.dirname(file));
      fs.writeFileSync(file, text, { flag: 'wx' });
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
