import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { NEW, toMessage } from '../support/mcp/rpc.ts';
import { makeWorld } from '../support/world.ts';
import { type Cli, CONFIG, makeCli } from './world.ts';

const BIN = fileURLToPath(new URL('../../src/cli/colophon.js', import.meta.url));
const ADA = 'ada@example.org';

async function addAdmin(cli: Cli): Promise<void> {
  const { code, err } = await cli.run('user', 'add', ADA, '--name', 'Ada', '--role', 'admin');
  if (code !== 0) throw new Error(err);
}

function serveArgs(cli: Cli, ...more: string[]): string[] {
  return [BIN, 'mcp', 'serve', '--data', cli.path('data'), '--config', cli.path('cms.config.ts'), ...more];
}

async function connect(cli: Cli, ...more: string[]) {
  const client = new Client({ name: 'official', version: '1.0.0' });
  const args = serveArgs(cli, ...more);
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'pipe' });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

test('keygen prints a key for an AI with the rights of its scopes, and nothing else', async () => {
  using cli = makeCli();
  await addAdmin(cli);
  const { code, out } = await cli.run('mcp', 'keygen', '--label', 'Editor', '--scopes', 'draft,publish');
  assert.is(code, 0);
  assert.match(out, /^cms_[0-9a-f]{64}\n$/);
  const list = await cli.run('token', 'list');
  for (const part of ['content:draft', 'content:publish', 'Editor', ADA]) assert.match(list.out, part);
  assert.not.match(list.out, 'content:write');
  const access = await import('../../src/cli/wiring.ts').then(({ createPorts }) => createPorts(process.env));
  const { parseEnv } = await import('../../src/config/env.ts');
  const opened = await access.openAccess(parseEnv({ CMS_DATA_DIR: cli.path('data') }));
  assert.is(opened.tokens.identify(out.trim(), '127.0.0.1')?.isAgent, true);
});

test('keygen refuses an unknown scope, an unknown site, a missing owner, and rights that the owner lacks', async () => {
  using cli = makeCli();
  await addAdmin(cli);
  await cli.run('user', 'add', 'eve@example.org', '--name', 'Eve', '--role', 'viewer');
  const wrong = [
    ['--scopes', 'everything'],
    ['--scopes', ''],
    ['--sites', 'nowhere'],
    ['--user', 'nobody@example.org'],
    ['--user', 'eve@example.org', '--scopes', 'write'],
  ];
  for (const more of wrong) {
    const { code, out, err } = await cli.run('mcp', 'keygen', '--label', 'x', ...more);
    assert.equal([code, out], [1, ''], more.join(' '));
    assert.is.not(err, '');
  }
  assert.is((await cli.run('token', 'list')).out, '');
});

test('test lists the tools of an endpoint, and exits 1 with a reason if it cannot', async () => {
  using cli = makeCli();
  await using world = await makeWorld();
  const key = String((await world.token(['content:read'])).headers.authorization).slice('Bearer '.length);
  const own = await cli.run('mcp', 'test', '--url', world.url, '--key', key);
  assert.is(own.code, 0);
  assert.match(own.out, /^get_history\t/m);
  const open = await cli.run('mcp', 'test', '--url', world.url);
  assert.is(open.code, 0);
  assert.not.match(open.out, /get_history/);
  for (const argv of [
    ['--url', world.url, '--key', 'cms_no'],
    ['--url', `${world.url}/api/mcp/admin`],
    ['--url', 'x'],
  ]) {
    const { code, out, err } = await cli.run('mcp', 'test', ...argv);
    assert.equal([code, out], [1, ''], argv.join(' '));
    assert.is.not(err, '');
  }
});

test('serve speaks over standard input and output with the tools of the admin', async () => {
  using cli = makeCli();
  await addAdmin(cli);
  {
    await using connected = await connect(cli);
    const { client } = connected;
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.ok(names.includes('publish_document') && names.includes('trigger_deploy'));
    const made = await client.callTool({
      name: 'create_document',
      arguments: { collection: 'posts', data: { title: 'By pipe' } },
    });
    assert.not.ok(made.isError, JSON.stringify(made));
  }
  await using reader = await connect(cli, '--read-only');
  const tools = (await reader.client.listTools()).tools;
  assert.equal(
    tools.filter(({ annotations }) => annotations?.readOnlyHint !== true),
    [],
  );
  const read = await reader.client.callTool({
    name: 'get_document',
    arguments: { collection: 'posts', slug: 'by-pipe' },
  });
  assert.match(JSON.stringify(read), 'By pipe');
  const write = await reader.client.callTool({ name: 'create_document', arguments: { collection: 'posts', data: {} } });
  assert.is(write.isError, true);
});

test('serve answers a client of 2026-07-28, ends with its input, and is refused while another process serves', async () => {
  using cli = makeCli();
  await addAdmin(cli);
  cli.write('cms.config.ts', `console.log('a configuration that prints');\n${CONFIG}`);
  const child = spawn(process.execPath, serveArgs(cli), { stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    child.stdin.write(`${JSON.stringify(toMessage(NEW, 'server/discover'))}\n`);
    const answer = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))));
    assert.equal(JSON.parse(answer).result.supportedVersions, [NEW]);
    assert.is((await cli.run('mcp', 'serve', '--read-only')).code, 75);
    child.stdin.end();
    assert.is(await ended, 0);
  } finally {
    child.kill('SIGKILL');
  }
});

test.run();
