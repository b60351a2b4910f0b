// colophon mcp: keys for MCP clients, a trial of an endpoint, and MCP over standard input and output.
import type { Command } from 'commander';
import { NewTokenBody } from '../../access/input.ts';
import type { Permission } from '../../access/principal.ts';
import { parseInput } from '../../lib/parse-input.ts';
import { failure, withApiHint } from '../failure.ts';
import type { CliPorts } from '../ports.ts';
import {
  addDataOption,
  addPlaceOptions,
  chooseSite,
  type PlaceOptions,
  toEnv,
  toEnvOfData,
  toList,
} from '../settings.ts';
import { ownerOf } from '../token-owner.ts';

/** decisions.md, section 11, "MCP". */
const SCOPES: Record<string, readonly Permission[]> = {
  read: ['content:read', 'media:read'],
  draft: ['content:read', 'content:draft', 'media:read'],
  write: ['content:write', 'media:write'],
  publish: ['content:publish'],
  deploy: ['deploy:read', 'deploy:trigger'],
  ai: ['content:write'],
  admin: ['sites:read', 'sites:write', 'org:settings:read', 'org:settings:write'],
};

const KEYGEN_HELP = `
Scopes: ${Object.entries(SCOPES)
  .map(([name, permissions]) => `${name} (${permissions.join(', ')})`)
  .join('; ')}.
"draft" is right for most agents: it writes drafts, and a person publishes them. What is written with a key counts as
written by an AI. Standard output is the key and nothing else; it is shown only once. colophon token list shows keys,
and colophon token revoke ends them.`;

const TEST_HELP = `
Without --key it tries the public endpoint (/api/mcp), with one the admin endpoint (/api/mcp/admin). Exit code 1 if the
endpoint does not answer as it should.`;

const SERVE_HELP = `
For clients that start their servers themselves. It opens the data folder, so no service may be running on it: then
connect the client to the service's /api/mcp/admin instead. Ends when the client closes standard input.`;

interface KeygenOptions extends PlaceOptions {
  label: string;
  scopes: string;
  user?: string;
  sites?: string;
}

interface ServeOptions extends PlaceOptions {
  user?: string;
  readOnly?: boolean;
}

export function addMcp(program: Command, ports: CliPorts): void {
  const mcp = program.command('mcp').description('connect AI clients by the Model Context Protocol');
  addKeygen(mcp, ports);
  mcp
    .command('test')
    .description('connect to an MCP endpoint as a client, and list its tools')
    .option('--url <address>', 'address of the service or of the endpoint (CMS_PUBLIC_URL, else this machine)')
    .option('--key <key>', 'key made by keygen (or the variable CMS_TOKEN)')
    .addHelpText('after', TEST_HELP)
    .action(async ({ url, key = ports.variables.CMS_TOKEN || undefined }: { url?: string; key?: string }) => {
      const address = toEndpoint(url ?? ownAddress(ports), key !== undefined);
      const { server, tools, resources, prompts } = await ports.tryMcp({ url: address, key });
      ports.err(`${address}: ${server}, ${tools.length} tools, ${resources} resources, ${prompts.length} prompts\n`);
      if (tools.length === 0) throw failure('the endpoint has no tools for this key; give it scopes');
      for (const { name, title } of tools) ports.out(`${name}\t${title}\n`);
    });
  addPlaceOptions(mcp.command('serve'))
    .description('speak MCP over standard input and output')
    .option('--user <email>', 'whose rights the client has (the only admin)')
    .option('--read-only', 'without the tools that write')
    .addHelpText('after', SERVE_HELP)
    .action(async (options: ServeOptions) => {
      const env = toEnvOfData(ports, options);
      const access = await ports.openAccess(env);
      const { id: userId } = ownerOf(access, options.user);
      const { id: siteId } = await chooseSite(ports, env, options.site);
      const isReadOnly = options.readOnly === true;
      await withApiHint(
        ports.serveMcp(env, { access, siteId, userId, isReadOnly }),
        'connect the client to its /api/mcp/admin',
      );
    });
}

function addKeygen(mcp: Command, ports: CliPorts): void {
  addDataOption(mcp.command('keygen'))
    .description('make a key for an MCP client and print it')
    .requiredOption('--label <label>', 'which client the key is for')
    .option('--scopes <list>', 'what it may do, with commas between them', 'read')
    .option('--user <email>', 'owner of the key, whose rights bound it (the only admin)')
    .option('--sites <ids>', 'sites the key is for, with commas between them (all of its owner)')
    .addHelpText('after', KEYGEN_HELP)
    .action(async (options: KeygenOptions) => {
      const permissions = toPermissions(options.scopes);
      const access = await ports.openAccess(toEnvOfData(ports, options));
      const owner = ownerOf(access, options.user);
      const sites = options.sites === undefined ? undefined : toList(options.sites);
      for (const id of sites ?? []) if (!access.sites.find(id)) throw failure(`there is no site "${id}"`);
      const input = parseInput(NewTokenBody, {
        name: options.label,
        permissions,
        actor: 'ai',
        ...(sites === undefined ? {} : { resources: [{ scope: 'site', effect: 'include', targets: sites }] }),
      });
      const created = await access.tokens.create(owner, input);
      ports.err(`key ${created.id} of ${owner.email}, shown only once:\n`);
      ports.out(`${created.token}\n`);
    });
}

function toPermissions(scopes: string): Permission[] {
  const names = toList(scopes);
  if (names.length === 0) throw failure(`name at least one scope: ${Object.keys(SCOPES).join(', ')}`);
  const unknown = names.find((name) => !Object.hasOwn(SCOPES, name));
  if (unknown !== undefined)
    throw failure(`there is no scope "${unknown}"; there are: ${Object.keys(SCOPES).join(', ')}`);
  return [...new Set(names.flatMap((name) => SCOPES[name]!))];
}

function ownAddress(ports: CliPorts): string {
  const { publicUrl, port } = toEnv(ports, {});
  return publicUrl ?? `http://127.0.0.1:${port}`;
}

/** An address without a path is that of the service. */
function toEndpoint(address: string, hasKey: boolean): string {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol))
    throw failure(`"${address}" is not an address such as http://127.0.0.1:3010`);
  if (url.pathname.replace(/\/$/, '') === '') url.pathname = hasKey ? '/api/mcp/admin' : '/api/mcp';
  return url.href;
}
