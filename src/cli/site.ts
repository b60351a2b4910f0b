// colophon site: the registry of the sites that one process serves.
import type { Command } from 'commander';
import { NewSiteBody } from '../access/input.ts';
import { parseInput } from '../lib/parse-input.ts';
import type { CliPorts } from './ports.ts';
import { addDataOption, type PlaceOptions, toEnv } from './settings.ts';

interface AddOptions {
  data?: string;
  config: string;
  org: string;
}

export function addSite(program: Command, ports: CliPorts): void {
  const site = program.command('site').description('add and list sites');

  addDataOption(site.command('add'))
    .description('add a site; a service that is running serves it from its next start on')
    .argument('<id>', 'id of the site, lower-case letters, digits and hyphens')
    .requiredOption('--config <file>', "the site's configuration")
    .option('--org <id>', 'organisation the site belongs to', 'default')
    .action(async (id: string, { data, config, org }: AddOptions) => {
      const { sites } = await ports.openAccess(toEnv(ports, data === undefined ? {} : { data }));
      const added = await sites.add(parseInput(NewSiteBody, { id, configPath: config, org }));
      ports.out(`site ${added.id} added, configured by ${added.configPath}\n`);
    });

  addDataOption(site.command('list'))
    .description('list the sites: id, organisation, configuration')
    .option('--config <file>', 'configuration of the default site (CMS_CONFIG_PATH, content/cms.config.ts)')
    .action(async (options: PlaceOptions) => {
      const { sites } = await ports.openAccess(toEnv(ports, options));
      for (const { id, org, configPath } of sites.list()) ports.out(`${id}\t${org}\t${configPath}\n`);
    });
}
