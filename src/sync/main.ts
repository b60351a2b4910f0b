// `npm run sync-server`: the sync server of this version, on this machine. Runs the same one file that is injected into
// the machine of a host, which needs less memory than the modules with their types.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { toOneFile } from './one-file.ts';
import { SYNC_NODE_ARGS, SYNC_VARIABLES } from './small-process.ts';
import { parseSyncSettings } from './sync-settings.ts';

try {
  const file = writeServer(path.join(parseSyncSettings(process.env).root, '.sync'));
  // A channel to the parent would be closed; Windows cannot do it.
  if (process.execve && !process.channel && process.platform !== 'win32') {
    const args = [process.execPath, ...process.execArgv, ...SYNC_NODE_ARGS, file];
    process.execve(process.execPath, args, { ...SYNC_VARIABLES, ...process.env } as Record<string, string>);
  }
  await import(pathToFileURL(file).href);
} catch (error) {
  process.stderr.write(`sync-server: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

function writeServer(folder: string): string {
  const file = path.join(folder, 'server.mjs');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(`${file}.new`, toOneFile());
  fs.renameSync(`${file}.new`, file);
  return file;
}
