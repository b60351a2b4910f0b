// colophon user: the accounts of the data folder. Anyone who may write to the folder may do everything; a running
// service notices the change by itself.
import { type Command, Option } from 'commander';
import { Email, Name, NewUserBody, Password } from '../../access/input.ts';
import { toLinkBase } from '../../access/links/link-base.ts';
import { ROLES, type Role } from '../../access/principal.ts';
import { generatePassword } from '../../access/users/users.ts';
import { parseInput } from '../../lib/parse-input.ts';
import { failure } from '../failure.ts';
import type { CliPorts } from '../ports.ts';
import { addDataOption, type PlaceOptions, toEnv, toEnvOfData, toList } from '../settings.ts';

interface AddOptions extends PlaceOptions {
  name: string;
  role: Role;
  sites?: string;
  passwordStdin?: boolean;
}

type Open = (options: PlaceOptions) => ReturnType<CliPorts['openAccess']>;

export function addUser(program: Command, ports: CliPorts): void {
  const user = program.command('user').description('add, list, change, suspend and remove users');
  const open: Open = (options) => ports.openAccess(toEnvOfData(ports, options));
  const roleOption = () => new Option('--role <role>', 'what the user may do').choices(ROLES);

  addDataOption(user.command('add'))
    .description('add a user; prints a generated password unless one is given')
    .argument('<email>', 'e-mail address, the user signs in with it')
    .requiredOption('--name <name>', 'name, the author of the commits')
    .addOption(roleOption().makeOptionMandatory())
    .option('--sites <ids>', 'sites the user may touch, with commas between them (all of them)')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (email: string, options: AddOptions) => {
      const access = await ports.openAccess(toEnv(ports, options));
      const input = parseInput(NewUserBody, {
        email,
        name: options.name,
        role: options.role,
        ...(options.sites === undefined ? {} : { sites: toSites(options.sites) }),
        ...(options.passwordStdin ? { password: await readPassword(ports) } : {}),
      });
      refuseUnknownSites(
        input.sites,
        access.sites.list().map(({ id }) => id),
      );
      const { user: added, password } = await access.users.add(input);
      ports.out(`${added.email} added as ${added.role}\n`);
      if (password !== undefined) ports.out(`password: ${password}\n`);
    });

  addDataOption(user.command('list'))
    .description('list the users: e-mail, role, sites, name')
    .action(async (options: PlaceOptions) => {
      for (const { email, role, sites, name } of (await open(options)).users.list()) {
        ports.out(`${email}\t${role}\t${sites === '*' ? '*' : sites.join(',')}\t${name}\n`);
      }
    });

  addDataOption(user.command('set'))
    .description("change a user's e-mail, name, role or sites")
    .argument('<email>', 'user to change')
    .option('--email <email>', 'new e-mail address')
    .option('--name <name>', 'new name')
    .addOption(roleOption())
    .option('--sites <ids>', 'sites the user may touch, with commas between them, or *')
    .action(async (email: string, options: Partial<AddOptions> & { email?: string }) => {
      const access = await open(options);
      const sites = options.sites === undefined ? undefined : toSites(options.sites);
      if (sites)
        refuseUnknownSites(
          sites,
          access.sites.list().map(({ id }) => id),
        );
      const change = {
        ...(options.email === undefined ? {} : { email: parseInput(Email, options.email, 'email') }),
        ...(options.name === undefined ? {} : { name: parseInput(Name, options.name, 'name') }),
        ...(options.role === undefined ? {} : { role: options.role }),
        ...(sites === undefined ? {} : { sites }),
      };
      if (Object.keys(change).length === 0) throw failure('nothing to change: give --email, --name, --role or --sites');
      const changed = await access.users.change(access.users.get(email).id, change);
      ports.out(`${changed.email} is ${changed.role}\n`);
    });

  addSignInCommands(user, ports, open);

  addDataOption(user.command('remove'))
    .description('remove a user and revoke their access tokens')
    .argument('<email>', 'user to remove')
    .action(async (email: string, options: PlaceOptions) => {
      const { users, tokens } = await open(options);
      const { id } = users.get(email);
      await users.remove(id);
      await tokens.removeAll(id);
      ports.out(`${email} removed\n`);
    });
}

/** Commands that change how a user signs in, and whether they may. */
function addSignInCommands(user: Command, ports: CliPorts, open: Open): void {
  addDataOption(user.command('set-password'))
    .description(
      'set a password and end every session and token of the user; prints a generated one unless one is given',
    )
    .argument('<email>', 'user to change')
    .option('--password-stdin', 'read the password from standard input')
    .action(async (email: string, options: AddOptions) => {
      const { users, tokens } = await open(options);
      const { id } = users.get(email);
      const given = options.passwordStdin ? parseInput(Password, await readPassword(ports), 'password') : undefined;
      const password = given ?? generatePassword();
      await users.change(id, { password });
      await tokens.removeAll(id);
      ports.out(`the password of ${email} is changed\n`);
      if (given === undefined) ports.out(`password: ${password}\n`);
    });

  addDataOption(user.command('suspend'))
    .description('end every session and token of a user, and refuse their sign-in')
    .argument('<email>', 'user to suspend')
    .option('--undo', 'allow sign-in again')
    .action(async (email: string, options: PlaceOptions & { undo?: boolean }) => {
      const { users, tokens } = await open(options);
      const { id } = users.get(email);
      await users.change(id, { suspended: !options.undo });
      if (!options.undo) await tokens.removeAll(id);
      ports.out(`${email} is ${options.undo ? 'not suspended any more' : 'suspended'}\n`);
    });

  addDataOption(user.command('reset-link'))
    .description('print a link that sets a new password, once and within 30 minutes; 7 days for an invited user')
    .argument('<email>', 'user whose password is forgotten')
    .action(async (email: string, options: PlaceOptions) => {
      const env = toEnvOfData(ports, options);
      const base = toLinkBase(env, env.port);
      if (base === undefined) throw failure('set CMS_PUBLIC_URL, the address at which browsers reach the service');
      const { users, links } = await ports.openAccess(env);
      ports.out(`${await links.makeResetLink(users.get(email).id, base)}\n`);
    });

  addDataOption(user.command('reset-codes'))
    .description("remove a user's one-time codes, if phone and recovery codes are lost")
    .argument('<email>', 'user to change')
    .action(async (email: string, options: PlaceOptions) => {
      const { users, codes } = await open(options);
      const { id, oneTimeCodes } = users.get(email);
      if (!oneTimeCodes) throw failure(`${email} has no one-time codes`);
      await codes.remove(id);
      ports.out(`${email} signs in without a code\n`);
    });
}

function toSites(text: string): '*' | string[] {
  return text.trim() === '*' ? '*' : toList(text);
}

function refuseUnknownSites(sites: '*' | string[], known: string[]): void {
  const unknown = sites === '*' ? undefined : sites.find((id) => !known.includes(id));
  if (unknown !== undefined) throw failure(`there is no site "${unknown}"; there are: ${known.join(', ')}`);
}

/** One line: its line break belongs to the pipe and not to the password. */
async function readPassword(ports: CliPorts): Promise<string> {
  const password = (await ports.readStdin()).replace(/\r?\n$/, '');
  if (/[\r\n]/.test(password)) throw failure('--password-stdin reads one line; there are more on standard input');
  return password;
}
