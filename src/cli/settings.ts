// The options that name the data folder, the configuration and the site of a command, over the environment's variables.
import fs from 'node:fs';
import { type Command, Option } from 'commander';
import type { SiteEntry } from '../access/sites/sites.ts';
import { type Env, parseEnv } from '../config/env.ts';
import { failure } from './failure.ts';
import type { CliPorts } from './ports.ts';

export interface PlaceOptions {
  data?: string;
  config?: string;
  site?: string;
}

export function addDataOption(command: Command): Command {
  return command.addOption(new Option('--data <folder>', 'data folder (CMS_DATA_DIR, .data)'));
}

export function addPlaceOptions(command: Command): Command {
  return addDataOption(command)
    .option('--config <file>', 'configuration of the default site (CMS_CONFIG_PATH, content/cms.config.ts)')
    .option('--site <id>', 'site to work on, if there are several');
}

export function toVariables(ports: CliPorts, options: PlaceOptions): Record<string, string | undefined> {
  return {
    ...ports.variables,
    ...(options.data === undefined ? {} : { CMS_DATA_DIR: options.data }),
    ...(options.config === undefined ? {} : { CMS_CONFIG_PATH: options.config }),
  };
}

export function toEnv(ports: CliPorts, options: PlaceOptions): Env {
  return parseEnv(toVariables(ports, options));
}

/** For commands that need existing data, and would otherwise make an empty data folder. */
export function toEnvOfData(ports: CliPorts, options: PlaceOptions): Env {
  const env = toEnv(ports, options);
  if (fs.existsSync(env.dataDir)) return env;
  throw failure(
    `there is no data folder "${env.dataDir}"; name it with --data or CMS_DATA_DIR; the first start makes one`,
  );
}

/** The site that `--site` names, else the only one there is. */
export async function chooseSite(ports: CliPorts, env: Env, wanted: string | undefined): Promise<SiteEntry> {
  // A command that only reads must not make a data folder.
  if (wanted === undefined && !fs.existsSync(env.dataDir)) {
    return { id: 'default', org: 'default', configPath: env.configPath, hosts: [], default: true };
  }
  const all = await ports.listSites(env);
  const names = all.map(({ id }) => id).join(', ');
  if (wanted !== undefined) {
    const site = all.find(({ id }) => id === wanted);
    if (!site) throw failure(`there is no site "${wanted}"; there are: ${names}`);
    return site;
  }
  const [only] = all;
  if (!only) throw failure('there is no site; colophon init makes one');
  if (all.length > 1) throw failure(`there are several sites; name one with --site: ${names}`);
  return only;
}

/** `a, b` as a list without empty names. */
export function toList(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
