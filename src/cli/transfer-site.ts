// Opens the site that import and export work on: the data folder, or a running service through its API. A dry run
// without a data folder makes a temporary one, and leaves nothing.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Command } from 'commander';
import { SYSTEM } from '../access/actor.ts';
import type { Actor } from '../access/principal.ts';
import type { Env } from '../config/env.ts';
import { openHttpSite } from '../transfer/http-site.ts';
import type { ImportTarget } from '../transfer/import-folder.ts';
import { createServiceSite } from '../transfer/service-site.ts';
import type { ExportSource } from '../transfer/write-folder.ts';
import { failure, withApiHint } from './failure.ts';
import type { CliPorts } from './ports.ts';
import type { Progress } from './progress.ts';
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
    .option('--url <address>', 'use the API of a running service, such as http://127.0.0.1:3010')
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
  parts: { progress: Progress; isDryRun?: boolean; needsData?: boolean },
): Promise<TransferSite> {
  parts.progress.opening();
  return openSource(ports, options, parts).catch((error) => {
    parts.progress.end();
    throw error;
  });
}

async function openSource(
  ports: CliPorts,
  options: TransferOptions,
  { isDryRun = false, needsData = false }: { isDryRun?: boolean; needsData?: boolean },
): Promise<TransferSite> {
  if (options.url !== undefined) {
    const token = tokenFor(ports, options);
    const site = await openHttpSite({ url: options.url, token, site: options.site, fetch: ports.fetch });
    return { site, close: async () => {} };
  }
  const named = needsData ? toEnvOfData(ports, options) : toEnv(ports, options);
  const isScratch = isDryRun && !fs.existsSync(named.dataDir);
  const env = isScratch ? { ...named, dataDir: fs.mkdtempSync(path.join(os.tmpdir(), 'colophon-dry-run-')) } : named;
  const removeScratch = (): void => {
    if (isScratch) fs.rmSync(env.dataDir, { recursive: true, force: true });
  };
  try {
    const entry = await chooseSite(ports, env, options.site);
    const actor = await importActor(ports, env, options.user);
    const open = await withApiHint(
      ports.openSite(env, entry, { plantStarter: !needsData && !isDryRun }),
      'use the API of that process with --url <address> --token <token>',
    );
    const close = async (): Promise<void> => {
      await open.close();
      removeScratch();
    };
    return { site: createServiceSite(open.content, open.config, actor), close };
  } catch (error) {
    removeScratch();
    throw error;
  }
}

/** The author of the commits: the user that `--user` names, else the service. */
async function importActor(ports: CliPorts, env: Env, user: string | undefined): Promise<Actor> {
  if (user === undefined) return { ...SYSTEM, kind: 'import' };
  const { users } = await ports.openAccess(env);
  const { id, name, email } = users.get(user);
  return { kind: 'import', userId: id, name, email };
}
