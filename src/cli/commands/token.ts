// colophon token: access tokens of the data folder's users. A running service notices changes by itself.
import { type Command, Option } from 'commander';
import { NewTokenBody } from '../../access/input.ts';
import { permissionsOf } from '../../access/permissions.ts';
import { PERMISSIONS } from '../../access/principal.ts';
import type { ShownToken } from '../../access/tokens/token.ts';
import type { User } from '../../access/users/user.ts';
import { parseInput } from '../../lib/parse-input.ts';
import { failure } from '../failure.ts';
import type { CliPorts } from '../ports.ts';
import { addDataOption, type PlaceOptions, toEnvOfData, toList } from '../settings.ts';
import { ownerOf } from '../token-owner.ts';

interface CreateOptions extends PlaceOptions {
  name: string;
  permissions: string;
  user?: string;
  sites?: string;
  notAfter?: string;
  actor?: 'user' | 'ai';
}

const HELP = `
Permissions: ${PERMISSIONS.join(', ')};
"all" stands for all that the owner has. Standard output is the token and nothing else; it is shown only once.`;

export function addToken(program: Command, ports: CliPorts): void {
  const token = program.command('token').description('create, list and revoke access tokens');
  const open = async (options: PlaceOptions) => ports.openAccess(toEnvOfData(ports, options));

  addDataOption(token.command('create'))
    .description('create an access token and print it')
    .requiredOption('--name <name>', 'what the token is for')
    .requiredOption('--permissions <list>', 'permissions, with commas between them')
    .option('--user <email>', 'owner of the token (the only admin)')
    .option('--sites <ids>', 'sites the token is for, with commas between them (all of its owner)')
    .option('--not-after <date>', 'when it ends, as 2030-01-01T00:00:00Z (never)')
    .addOption(new Option('--actor <actor>', 'who writes with it (user)').choices(['user', 'ai']))
    .addHelpText('after', HELP)
    .action(async (options: CreateOptions) => {
      const access = await open(options);
      const owner = ownerOf(access, options.user);
      const sites = options.sites === undefined ? undefined : toList(options.sites);
      for (const id of sites ?? []) if (!access.sites.find(id)) throw failure(`there is no site "${id}"`);
      const isAll = options.permissions.trim() === 'all';
      const input = parseInput(NewTokenBody, {
        name: options.name,
        permissions: isAll ? [...permissionsOf(owner.role)] : toList(options.permissions),
        ...(sites === undefined ? {} : { resources: [{ scope: 'site', effect: 'include', targets: sites }] }),
        ...(options.notAfter === undefined ? {} : { notAfter: options.notAfter }),
        ...(options.actor === undefined ? {} : { actor: options.actor }),
      });
      const created = await access.tokens.create(owner, input);
      ports.err(`token ${created.id} of ${owner.email}, shown only once:\n`);
      ports.out(`${created.token}\n`);
    });

  addDataOption(token.command('list'))
    .description('list the access tokens: id, owner, masked token, end, permissions, name')
    .option('--user <email>', 'only the tokens of this user')
    .action(async (options: CreateOptions) => {
      const access = await open(options);
      const owners = options.user === undefined ? access.users.list() : [access.users.get(options.user)];
      for (const owner of owners) {
        for (const shown of access.tokens.list(owner)) ports.out(`${toLine(owner, shown)}\n`);
      }
    });

  addDataOption(token.command('revoke'))
    .description('revoke an access token; it opens nothing from then on')
    .argument('<id>', 'id of the token, as the list shows it')
    .action(async (id: string, options: PlaceOptions) => {
      const { users, tokens } = await open(options);
      const owner = users.list().find((user) => tokens.list(user).some((shown) => shown.id === id));
      if (!owner) throw failure(`there is no access token "${id}"`);
      await tokens.revoke(owner, id);
      ports.out(`${id} revoked\n`);
    });
}

function toLine(owner: User, { id, masked, notAfter, permissions, name }: ShownToken): string {
  return [id, owner.email, masked, notAfter ?? 'never', permissions.join(','), name].join('\t');
}
