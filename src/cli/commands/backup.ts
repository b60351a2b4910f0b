// colophon backup: backs a site up, with the service stopped or through its API, and writes the archive to a file.
import type { Command } from 'commander';
import { withApiHint } from '../failure.ts';
import type { BackupReport, CliPorts } from '../ports.ts';
import { createProgress } from '../progress.ts';
import { addPlaceOptions, chooseSite, type PlaceOptions, toEnvOfData } from '../settings.ts';
import { addApiOptions, tokenFor } from '../transfer-site.ts';

interface BackupOptions extends PlaceOptions {
  out?: string;
  url?: string;
  token?: string;
}

const HELP = `
A backup is a tag on the newest commit and an archive of the site's data, kept below the data folder; with --out all of it
(documents with their history, media, submissions and settings) is also written to one file, from which "colophon restore"
rebuilds the site. Users, access tokens and secrets are in no backup. The service removes old backups; this command does
not.

With --url a running service makes the backup; the token needs sites:write.

Exit code 1 if there is nothing to back up, or the file of --out already exists. 75 if another process has the data
folder.`;

export function addBackup(program: Command, ports: CliPorts): void {
  const command = program
    .command('backup')
    .description('back a site up')
    .option('--out <file>', 'write the whole archive there')
    .addHelpText('after', HELP);
  addApiOptions(addPlaceOptions(command)).action(async (options: BackupOptions) => {
    const { id, commit, documents, mediaFiles, archiveBytes } = await backUp(ports, options);
    ports.out(`backup ${id}: ${documents} documents and ${mediaFiles} media files, at ${commit}\n`);
    if (options.out !== undefined) ports.out(`${options.out}: ${archiveBytes} bytes\n`);
  });
}

async function backUp(ports: CliPorts, options: BackupOptions): Promise<BackupReport> {
  const { url, out, site } = options;
  const progress = createProgress(ports);
  const onProgress = progress.show;
  if (url !== undefined) {
    const token = tokenFor(ports, options);
    return ports
      .backupByHttp({ url, token, onProgress, ...(site ? { site } : {}), ...(out ? { out } : {}) })
      .finally(progress.end);
  }
  const env = toEnvOfData(ports, options);
  const entry = await chooseSite(ports, env, site);
  progress.opening();
  return withApiHint(
    ports.backupSite(env, entry, { out, onProgress }).finally(progress.end),
    'use the API of that process with --url <address> --token <token>',
  );
}
