// colophon restore: a site from a backup's archive, on a machine that has nothing of it.
import type { Command } from 'commander';
import { isCode } from '../../lib/error-code.ts';
import { failure, withApiHint } from '../failure.ts';
import type { CliPorts } from '../ports.ts';
import { createProgress } from '../progress.ts';
import { addDataOption, type PlaceOptions, toEnv } from '../settings.ts';

const HELP = `
The archive is what "colophon backup --out" or GET /api/admin/backups/<id>/archive gave: documents with their history,
media, forms' submissions and settings. Users, access tokens and secrets are not in it: set-up is open again when the
service starts, and keys of providers, webhooks and the backup target are to be set anew.

Every part is checked against its sha256, and the history object by object, before anything is put in its place. The site
must not be there yet; one that is in the way is to be moved by hand. To put a backup back where it was made, ask the
service: POST /api/admin/backups/<id>/restore.

Exit code 1 if the archive is damaged or the site is there, and then nothing was changed. 75 if another process has the
data folder.`;

export function addRestore(program: Command, ports: CliPorts): void {
  const command = program
    .command('restore')
    .description("rebuild a site from a backup's archive")
    .argument('<archive>', 'file made by a backup')
    .option('--site <id>', 'the site that it becomes, where it is not to be the one that it was')
    .addHelpText('after', HELP);
  addDataOption(command).action(async (archive: string, options: PlaceOptions) => {
    const env = toEnv(ports, options);
    const progress = createProgress(ports);
    const restoring = ports
      .restoreSite(env, { archive, onProgress: progress.show, ...(options.site ? { site: options.site } : {}) })
      .finally(progress.end);
    const found = await withApiHint(restoring, 'stop it first: a site is put in its place while nobody serves').catch(
      (error: NodeJS.ErrnoException) => {
        throw isCode(error, 'ENOENT') && error.path === archive ? failure(`there is no ${archive}`) : error;
      },
    );
    const { site, commit, documents, mediaFiles, createdAt, damagedMedia, isKnown } = found;
    for (const file of damagedMedia) ports.err(`${file}: was damaged when the archive was made, and is not in it\n`);
    ports.out(`site ${site}: ${documents} documents and ${mediaFiles} media files as of ${createdAt}, at ${commit}\n`);
    if (!isKnown) ports.out(`add it before the next start: colophon site add ${site} --config <file>\n`);
    ports.out('users and secrets are in no backup: the first visit makes the first admin\n');
  });
}
