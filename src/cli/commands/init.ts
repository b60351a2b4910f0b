// colophon init: a new site on disk that `npm install` and `npm start` serve. Must not write over a file, nor put its
// documents beside somebody's own.
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
Writes content/cms.config.ts, two documents beside it, package.json, .npmrc and .gitignore. Documents that are in content/
already stay the only ones, and a file that is there stays as it is; beside a package.json no .npmrc is written.

Exit code 1 if there is a content/cms.config.ts; nothing is written then.`;

export function addInit(program: Command, ports: CliPorts): void {
  program
    .command('init')
    .description('write a new site: a configuration and two documents')
    .argument('[dir]', 'folder of the site, made if it is missing', '.')
    .addHelpText('after', HELP)
    .action((folder: string) => {
      const config = path.join(folder, CONFIG_FILE);
      if (fs.lstatSync(config, { throwIfNoEntry: false }))
        throw failure(`${config} is there already; nothing is written`);
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
      ports.out('it runs on a Node of its own, which npm install brings\n');
    });
}

function writeFiles(ports: CliPorts, folder: string, texts: Record<string, string>): void {
  for (const [name, text] of Object.entries(texts)) {
    const file = path.join(folder, name);
    if (fs.lstatSync(file, { throwIfNoEntry: false })) {
      ports.err(
        `${file} is there already and stays as it is; a new site would have:\n${text.replace(/^/gm, '  ').trimEnd()}\n`,
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

/** What a first start would take for documents: `<collection>/<slug>.json`. */
function listDocuments(folder: string): string[] {
  const isData = (file: string): boolean => fs.existsSync(path.join(folder, path.dirname(file), LOCK_FILE));
  return fs.globSync('*/*.json', { cwd: folder }).filter((file) => !isData(file));
}
