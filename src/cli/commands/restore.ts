// colophon restore: rebuilds a site from a backup's archive, on a machine that has nothing of it.
import type { Command } from 'commander';
import { isCode } from '../../lib/error-code.ts';
import { failure, withApiHint } from '../failure.ts';
import type { CliPorts } from '../ports.ts';
import { createProgress } from '../progress.ts';
import { addDataOption, type PlaceOptions, toEnv } from '../settings.ts';

const HELP = `
The archive comes from "colophon backup --out" or GET /api/admin/backups/<id>/archive. It has the documents with their
history, media, form submissions and settings, but no users, access tokens or secrets: set-up is open again when the
service starts, and keys of providers, webhooks and the backup target must be set again.

Every part is checked against its sha256, and the history object by object, before the site is put in its place. The site
must not exist yet; move an existing one away first. To restore a backup on the site that made it, ask the service:
POST /api/admin/backups/<id>/restore.

Exit code 1 if the archive is damaged or the site exists; nothing is changed then. 75 if another process has the data
folder.`;

export function addRestore(program: Command, ports: CliPorts): void {
  const command = program
    .command('restore')
    .description("rebuild a site from a backup's archive")
    .argument('<archive>', 'file made by a backup')
    .option('--site <id>', 'id of the restored site, if it is not to keep its own')
    .addHelpText('after', HELP);
  addDataOption(command).action(async (archive: string, options: PlaceOptions) => {
    const env = toEnv(ports, options);
    const progress = createProgress(ports);
    const restoring = ports
      .restoreSite(env, { archive, onProgress: progress.show, ...(options.site ? { site: options.site } : {}) })
      .finally(progress.end);
    const found = await withApiHint(
      restoring,
      'stop it first: a site can be restored only while the service is stopped',
    ).catch((error: NodeJS.ErrnoException) => {
      throw isCode(error, 'ENOENT') && error.path === archive ? failure(`there is no archive "${archive}"`) : error;
    });
    const { site, commit, documents, mediaFiles, createdAt, damagedMedia, isKnown } = found;
    for (const file of damagedMedia) ports.err(`${file}: was damaged when the archive was made, and is not in it\n`);
    ports.out(
      `site "${site}": ${documents} documents and ${mediaFiles} media files as of ${createdAt}, at ${commit}\n`,
    );
    if (!isKnown) ports.out(`add the site before the next start: colophon site add ${site} --config <file>\n`);
    ports.out('users and secrets are in no backup: the first visit makes the first admin\n');
  });
}
