// Opens the site that import and export work on: the data folder, or a running service by its API.
import type { Command } from 'commander';
import { SYSTEM } from '../access/actor.ts';
import type { Actor } from '../access/principal.ts';
import { openHttpSite } from '../transfer/http-site.ts';
import type { ImportTarget } from '../transfer/import-folder.ts';
import { createServiceSite } from '../transfer/service-site.ts';
import type { ExportSource } from '../transfer/write-folder.ts';
import { failure, withApiHint } from './failure.ts';
import type { CliPorts } from './ports.ts';
import { chooseSite, type PlaceOptions, toEnv, toEnvOfData } from './settings.ts';

export interface TransferOptions extends PlaceOptions {
  url?: string;
  token?: string;
  user?: string;
}

export interface TransferSite {
  site: ImportTarget & ExportSource;
  close(): Promise<void>;
}

export function addApiOptions(command: Command): Command {
  return command
    .option('--url <address>', 'go through the API of the service that runs there, as http://127.0.0.1:3010')
    .option('--token <token>', 'access token for --url (or the variable CMS_TOKEN)');
}

export function tokenFor(ports: CliPorts, options: { token?: string }): string {
  const token = options.token ?? ports.variables.CMS_TOKEN;
  if (!token) throw failure('--url needs an access token: --token <token> or the variable CMS_TOKEN');
  return token;
}

export async function openTransferSite(
  ports: CliPorts,
  options: TransferOptions,
  { plantStarter = false, needsData = false }: { plantStarter?: boolean; needsData?: boolean },
): Promise<TransferSite> {
  if (options.url !== undefined) {
    const token = tokenFor(ports, options);
    const site = await openHttpSite({ url: options.url, token, site: options.site, fetch: ports.fetch });
    return { site, close: async () => {} };
  }
  const env = needsData ? toEnvOfData(ports, options) : toEnv(ports, options);
  const entry = await chooseSite(ports, env, options.site);
  const actor = await importActor(ports, options);
  const open = await withApiHint(
    ports.openSite(env, entry, { plantStarter }),
    'go through the API of that process with --url <address> --token <token>',
  );
  return { site: createServiceSite(open.content, open.config, actor), close: () => open.close() };
}

/** The author of the commits: the user that is named, else the service. */
async function importActor(ports: CliPorts, options: TransferOptions): Promise<Actor> {
  if (options.user === undefined) return { ...SYSTEM, kind: 'import' };
  const { users } = await ports.openAccess(toEnv(ports, options));
  const { id, name, email } = users.get(options.user);
  return { kind: 'import', userId: id, name, email };
}
