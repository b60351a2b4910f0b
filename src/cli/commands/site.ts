// colophon site: the registry of the sites that one process serves.
import { join } from 'node:path';
import type { Command } from 'commander';
import { NewSiteBody } from '../../access/input.ts';
import { parseInput } from '../../lib/parse-input.ts';
import type { CliPorts } from '../ports.ts';
import { addDataOption, type PlaceOptions, toEnv, toEnvOfData } from '../settings.ts';

interface AddOptions {
  data?: string;
  config: string;
  org: string;
  host: string[];
}

interface DataOptions {
  data?: string;
}

const RESTART = 'a running service needs a restart';

export function addSite(program: Command, ports: CliPorts): void {
  const site = program.command('site').description('the sites that one service serves');

  const open = (options: DataOptions) => ports.openAccess(toEnv(ports, options));

  addDataOption(site.command('add'))
    .description('add a site; a running service serves it after a restart')
    .argument('<id>', 'id of the site, lower-case letters, digits and hyphens')
    .requiredOption('--config <file>', "the site's configuration")
    .option('--org <id>', 'organisation the site belongs to', 'default')
    .option('--host <name>', 'host that the site serves; may be given again', collect, [])
    .action(async (id: string, { data, config, org, host }: AddOptions) => {
      const { sites } = await open(data === undefined ? {} : { data });
      const added = await sites.add(parseInput(NewSiteBody, { id, configPath: config, org, hosts: host }));
      ports.out(`site "${added.id}" added, configured by "${added.configPath}"; ${RESTART}\n`);
    });

  addDataOption(site.command('remove'))
    .description('stop serving a site; its data stay where they are')
    .argument('<id>', 'id of the site')
    .action(async (id: string, options: DataOptions) => {
      const env = toEnvOfData(ports, options);
      await (await ports.openAccess(env)).sites.remove(id);
      ports.out(`site "${id}" removed; its data stay in "${join(env.dataDir, 'sites', id)}"\n`);
    });

  addDataOption(site.command('default'))
    .description('make a site the default: strangers get it if they name no site and no site has the host')
    .argument('<id>', 'id of the site')
    .action(async (id: string, options: DataOptions) => {
      await (await open(options)).sites.makeDefault(id);
      ports.out(`site "${id}" is the default site\n`);
    });

  addDataOption(site.command('list'))
    .description('list the sites: id, organisation, configuration, hosts; * marks the default one')
    .option('--config <file>', 'configuration of the default site (CMS_CONFIG_PATH, content/cms.config.ts)')
    .action(async (options: PlaceOptions) => {
      const { sites } = await ports.openAccess(toEnvOfData(ports, options));
      for (const { id, org, configPath, hosts, default: isDefault } of sites.list()) {
        ports.out(`${id}\t${org}\t${configPath}\t${hosts.join(',')}${isDefault ? '\t*' : ''}\n`);
      }
    });
}

function collect(name: string, names: string[]): string[] {
  return [...names, name];
}
