// colophon serve: shows a built folder as the sync server would, for the person at this machine only.
import fs from 'node:fs';
import type { Command } from 'commander';
import { isCode } from '../../lib/error-code.ts';
import { failure } from '../failure.ts';
import type { CliPorts } from '../ports.ts';

interface ServeCommandOptions {
  dir: string;
  port: string;
}

const HELP = `
Listens on 127.0.0.1 and reads the folder anew for each request, so a build shows at once. Redirects (_redirects) and
headers (_headers) work as on the sync server. Ends with Ctrl-C.`;

export function addServe(program: Command, ports: CliPorts): void {
  program
    .command('serve')
    .description('show a built site on this machine')
    .option('--dir <folder>', 'folder of the built site', 'dist')
    .option('--port <number>', 'port to listen on, 0 for a free one', '5000')
    .addHelpText('after', HELP)
    .action(async ({ dir, port: wanted }: ServeCommandOptions) => {
      checkFolder(dir);
      const port = parsePort(wanted);
      try {
        await ports.serveFolder({ folder: dir, port });
      } catch (error) {
        if (isCode(error, 'EADDRINUSE')) throw failure(`port ${port} is in use; choose another with --port`);
        if (isCode(error, 'EACCES')) throw failure(`port ${port} is not open to this user; choose another with --port`);
        throw error;
      }
    });
}

function checkFolder(dir: string): void {
  const found = fs.statSync(dir, { throwIfNoEntry: false });
  if (!found) throw failure(`there is no folder "${dir}"; colophon build makes one, or name it with --dir`);
  if (!found.isDirectory()) throw failure(`"${dir}" is not a folder; name the folder of a built site with --dir`);
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (port <= 65_535) return port;
  throw failure(`"${text}" is not a port; a port is a number up to 65535`);
}
