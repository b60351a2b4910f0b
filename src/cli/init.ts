// colophon init: a new site on disk, ready for colophon start. Writes nothing at all where one of its files is there.
import fs from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { failure } from './failure.ts';
import type { CliPorts } from './ports.ts';
import { starterFiles } from './starter-files.ts';

export function addInit(program: Command, ports: CliPorts): void {
  program
    .command('init')
    .description('write a new site: a configuration and two documents')
    .argument('[dir]', 'folder of the site, made where it is missing', '.')
    .action((folder: string) => {
      const files = starterFiles(ports.now());
      writeFiles(folder, files);
      for (const file of Object.keys(files)) ports.out(`${path.join(folder, file)}\n`);
      const enter = path.resolve(folder) === process.cwd() ? '' : `cd ${folder} && `;
      ports.out(`start it with: ${enter}colophon start\n`);
    });
}

function writeFiles(folder: string, texts: Record<string, string>): void {
  const files = Object.entries(texts).map(([file, text]) => [path.join(folder, file), text] as const);
  const taken = files.find(([file]) => fs.lstatSync(file, { throwIfNoEntry: false }));
  if (taken) throw failure(`${taken[0]} is there already; nothing is written`);
  for (const [file, text] of files) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, text, { flag: 'wx' });
  }
}
