import fs from 'node:fs';
import { TOTP } from 'otpauth';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Cli, makeCli } from './world.ts';

const ADA = ['ada@example.com', '--name', 'Ada', '--role', 'admin'];

async function openAccess(cli: Cli) {
  const { createPorts } = await import('../../src/cli/wiring.ts');
  const { parseEnv } = await import('../../src/config/env.ts');
  const env = parseEnv({ CMS_DATA_DIR: cli.path('data'), CMS_CONFIG_PATH: cli.path('cms.config.ts') });
  return createPorts(process.env).openAccess(env);
}

test('user add prints a generated password that signs in', async () => {
  using cli = makeCli();
  const { code, out } = await cli.run('user', 'add', ...ADA);
  assert.is(code, 0);
  const password = /password: (\S+)\n$/.exec(out)?.[1] ?? '';
  const { users } = await openAccess(cli);
  assert.ok(await users.verify(users.get('ada@example.com'), password));
});

test('user add reads a password from standard input and prints none', async () => {
  using cli = makeCli();
  const readStdin = async () => 'correct horse\n';
  const added = await cli.runWith({ readStdin }, 'user', 'add', ...ADA, '--sites', 'default', '--password-stdin');
  assert.is(added.code, 0);
  assert.not.match(added.out, /password/);
  const { users } = await openAccess(cli);
  assert.ok(await users.verify(users.get('ada@example.com'), 'correct horse'));
  assert.equal(users.get('ada@example.com').sites, ['default']);
});

test('user add refuses an invalid user, in one sentence', async () => {
  using cli = makeCli();
  await cli.run('user', 'add', ...ADA);
  const refused = [
    ADA,
    ['not-an-address', '--name', 'X', '--role', 'viewer'],
    ['b@example.com', '--name', 'B', '--role', 'owner'],
    ['b@example.com', '--role', 'viewer'],
    ['b@example.com', '--name', 'B', '--role', 'viewer', '--sites', 'nowhere'],
    ['--name', 'B', '--role', 'viewer'],
  ];
  for (const argv of refused) {
    const { code, err } = await cli.run('user', 'add', ...argv);
    assert.is(code, 1, argv.join(' '));
    assert.not.match(err, /\n {4}at /, argv.join(' '));
  }
  for (const password of ['short', 'Password1', 'correct horse\nand more', 'correct horse\r\n']) {
    const readStdin = async () => `${password}\n`;
    const add = ['user', 'add', 'c@example.com', '--name', 'C', '--role', 'viewer', '--password-stdin'];
    assert.is((await cli.runWith({ readStdin }, ...add)).code, 1, password);
    assert.is(
      (await cli.runWith({ readStdin }, 'user', 'set-password', ADA[0]!, '--password-stdin')).code,
      1,
      password,
    );
  }
  assert.is((await cli.run('user', 'list')).out.trim().split('\n').length, 1);
});

test('a user is listed, changed and removed, and the last admin stays', async () => {
  using cli = makeCli();
  await cli.run('user', 'add', ...ADA);
  await cli.run('user', 'add', 'bo@example.com', '--name', 'Bo', '--role', 'viewer');
  assert.is((await cli.run('user', 'set', 'bo@example.com', '--role', 'editor', '--sites', 'default')).code, 0);
  assert.is(
    (await cli.run('user', 'list')).out,
    'ada@example.com\tadmin\t*\tAda\nbo@example.com\teditor\tdefault\tBo\n',
  );
  assert.is((await cli.run('user', 'set', 'bo@example.com')).code, 1);
  assert.is((await cli.run('user', 'remove', 'bo@example.com')).code, 0);
  assert.is((await cli.run('user', 'remove', 'bo@example.com')).code, 1);
  assert.is((await cli.run('user', 'remove', 'ada@example.com')).code, 1);
});

test('set-password changes the password', async () => {
  using cli = makeCli();
  await cli.run('user', 'add', ...ADA);
  const { out } = await cli.run('user', 'set-password', 'ada@example.com');
  const generated = /password: (\S+)\n$/.exec(out)?.[1] ?? '';
  const given = await cli.runWith(
    { readStdin: async () => 'correct horse' },
    'user',
    'set-password',
    'ada@example.com',
    '--password-stdin',
  );
  assert.is(given.code, 0);
  const { users } = await openAccess(cli);
  assert.not(await users.verify(users.get('ada@example.com'), generated));
  assert.ok(await users.verify(users.get('ada@example.com'), 'correct horse'));
});

test('suspend ends every token of a user, and lets them in again with --undo', async () => {
  using cli = makeCli();
  await cli.run('user', 'add', ...ADA);
  assert.is((await cli.run('user', 'suspend', 'ada@example.com')).code, 1);
  await cli.run('user', 'add', 'bo@example.com', '--name', 'Bo', '--role', 'editor');
  const create = ['token', 'create', '--name', 'x', '--permissions', 'content:read', '--user', 'bo@example.com'];
  const { out } = await cli.run(...create, '--actor', 'ai');
  const opened = async () => (await openAccess(cli)).tokens.identify(out.trim());
  assert.is((await opened())?.isAgent, true);
  assert.is((await cli.run('user', 'suspend', 'bo@example.com')).code, 0);
  assert.is((await openAccess(cli)).users.get('bo@example.com').suspended, true);
  assert.is(await opened(), undefined);
  assert.is((await cli.run('user', 'suspend', 'bo@example.com', '--undo')).code, 0);
  assert.is((await openAccess(cli)).users.get('bo@example.com').suspended, undefined);
  assert.is(await opened(), undefined);
});

test('set-password ends the access tokens too', async () => {
  using cli = makeCli();
  await cli.run('user', 'add', ...ADA);
  const { out } = await cli.run('token', 'create', '--name', 'x', '--permissions', 'content:read');
  await cli.run('user', 'set-password', 'ada@example.com');
  assert.is((await openAccess(cli)).tokens.identify(out.trim()), undefined);
});

test('token create prints the token alone, and the token has the requested permissions', async () => {
  using cli = makeCli();
  await cli.run('user', 'add', ...ADA);
  const made = await cli.run(
    'token',
    'create',
    '--name',
    'site',
    '--permissions',
    'content:read, media:read',
    '--sites',
    'default',
  );
  assert.is(made.code, 0);
  assert.match(made.out, /^cms_[0-9a-f]{64}\n$/);
  const { tokens } = await openAccess(cli);
  const principal = tokens.identify(made.out.trim());
  assert.equal([...(principal?.permissions ?? [])].sort(), ['content:read', 'content:read-published', 'media:read']);
  assert.is(principal?.mayTouch({ id: 'default', org: 'default' }), true);
  assert.is(principal?.mayTouch({ id: 'other', org: 'default' }), false);
});

test('tokens are listed without the token, and revoked by id', async () => {
  using cli = makeCli();
  await cli.run('user', 'add', ...ADA);
  const { out } = await cli.run(
    'token',
    'create',
    '--name',
    'all',
    '--permissions',
    'all',
    '--not-after',
    '2999-01-01T00:00:00Z',
  );
  const listed = (await cli.run('token', 'list')).out;
  assert.not(listed.includes(out.trim()));
  const id = listed.split('\t')[0] as string;
  assert.is((await cli.run('token', 'revoke', id)).code, 0);
  assert.is((await cli.run('token', 'revoke', id)).code, 1);
  assert.is((await cli.run('token', 'list', '--user', 'ada@example.com')).out, '');
  assert.is((await openAccess(cli)).tokens.identify(out.trim()), undefined);
});

test('token create refuses unknown and excessive permissions, sites and owners', async () => {
  using cli = makeCli();
  const create = async (...argv: string[]) => (await cli.run('token', 'create', '--name', 'x', ...argv)).code;
  assert.is(await create('--permissions', 'content:read'), 1, 'no admin yet');
  await cli.run('user', 'add', ...ADA);
  await cli.run('user', 'add', 'bo@example.com', '--name', 'Bo', '--role', 'viewer');
  assert.is(await create('--permissions', 'content:eat'), 1);
  await cli.run('user', 'add', 'au@example.com', '--name', 'Au', '--role', 'author');
  assert.is(await create('--permissions', 'content:draft,content:read-published', '--user', 'au@example.com'), 0);
  assert.is(await create('--permissions', 'content:write', '--user', 'au@example.com'), 1);
  assert.is(await create('--permissions', ''), 1);
  assert.is(await create('--permissions', 'content:write', '--user', 'bo@example.com'), 1);
  assert.is(await create('--permissions', 'content:read', '--user', 'nobody@example.com'), 1);
  assert.is(await create('--permissions', 'content:read', '--sites', 'nowhere'), 1);
  assert.is(await create('--permissions', 'content:read', '--not-after', '2001-01-01T00:00:00Z'), 1);
  await cli.run('user', 'add', 'cy@example.com', '--name', 'Cy', '--role', 'admin');
  assert.is(await create('--permissions', 'content:read'), 1, 'two admins');
});

test('site add accepts a configuration that can be served, and site list shows it', async () => {
  using cli = makeCli();
  cli.write('second/cms.config.ts', 'export default { collections: [] }');
  cli.write('broken/cms.config.ts', 'export default { collection: [] }');
  assert.is(
    (await cli.run('site', 'add', 'second', '--config', cli.path('second/cms.config.ts'), '--org', 'acme')).code,
    0,
  );
  for (const [id, config] of [
    ['second', 'second'],
    ['Third', 'second'],
    ['third', 'broken'],
    ['third', 'missing'],
  ] as const) {
    assert.is(
      (await cli.run('site', 'add', id, '--config', cli.path(config, 'cms.config.ts'))).code,
      1,
      `${id} ${config}`,
    );
  }
  const { out } = await cli.run('site', 'list');
  assert.is(
    out,
    `default\tdefault\t${cli.path('cms.config.ts')}\t\t*\nsecond\tacme\t${cli.path('second/cms.config.ts')}\t\n`,
  );
});

test('a site has hosts, can be the default one, and is removed without its data', async () => {
  using cli = makeCli();
  cli.write('second.json', '{"collections": []}');
  cli.write('data/sites/second/kept.txt', 'kept');
  const site = async (...argv: string[]) => (await cli.run('site', ...argv)).code;
  const hosts = ['--host', 'Shop.example', '--host', 'www.shop.example:8443'];
  assert.is(await site('add', 'second', '--config', cli.path('second.json'), ...hosts), 0);
  assert.is(await site('remove', 'default'), 1, 'the default one stays');
  assert.is(await site('default', 'second'), 0);
  assert.is(await site('default', 'third'), 1);
  assert.match((await cli.run('site', 'list')).out, 'shop.example,www.shop.example:8443\t*\n');
  assert.is(await site('default', 'default'), 0);
  assert.is(await site('remove', 'second'), 0);
  assert.is(await site('remove', 'second'), 1);
  assert.not.match((await cli.run('site', 'list')).out, 'second');
  assert.is(fs.readFileSync(cli.path('data/sites/second/kept.txt'), 'utf8'), 'kept');
});

test('reset-link prints a link that sets a new password once', async () => {
  using cli = makeCli();
  await cli.run('user', 'add', ...ADA);
  const { code, out } = await cli.run('user', 'reset-link', 'ada@example.com');
  assert.is(code, 0);
  const token = /^http:\/\/127\.0\.0\.1:\d+\/admin\/reset#token=(\S+)\n$/.exec(out)?.[1] ?? '';
  const { users, links } = await openAccess(cli);
  await links.reset({ token, password: 'correct horse' });
  assert.ok(await users.verify(users.get('ada@example.com'), 'correct horse'));
  assert.is((await cli.run('user', 'reset-link', 'nobody@example.com')).code, 1);
});

test('reset-codes lets a user in who has lost the phone', async () => {
  using cli = makeCli();
  await cli.run('user', 'add', ...ADA);
  assert.is((await cli.run('user', 'reset-codes', 'ada@example.com')).code, 1);
  const { users, codes } = await openAccess(cli);
  const ada = users.get('ada@example.com');
  const { secret } = await codes.begin(ada);
  await codes.confirm(ada, new TOTP({ secret }).generate());
  assert.is((await cli.run('user', 'reset-codes', 'ada@example.com')).code, 0);
  const later = await openAccess(cli);
  assert.is(later.users.get('ada@example.com').oneTimeCodes, undefined);
});

test.run();
