import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeCli } from '../cli/world.ts';
import { callTool, OLD, send } from '../support/mcp/rpc.ts';
import { makeWorld } from '../support/world.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const README = readFileSync(`${ROOT}README.md`, 'utf8');
const SECTION = /^## Connecting AI clients\n([\s\S]*?)(?=^## )/m.exec(README)?.[1] ?? '';
const [OVER_HTTP, OVER_STDIO] = [...SECTION.matchAll(/```json\n([\s\S]*?)```/g)].map(
  ([, text = '']) => JSON.parse(text).mcpServers.colophon,
);

async function listTools(transport: unknown): Promise<string[]> {
  const client = new Client({ name: 'reader', version: '1.0.0' });
  // The SDK's own type has optional members that are undefined, which ours must not be.
  await client.connect(transport as Transport);
  try {
    return (await client.listTools()).tools.map(({ name }) => name);
  } finally {
    await client.close();
  }
}

test('the README connects the clients that it names, to an endpoint that exists', async () => {
  await using world = await makeWorld();
  for (const file of ['.cursor/mcp.json', '.vscode/mcp.json']) assert.match(SECTION, file);
  assert.is([...SECTION.matchAll(/^\w+ mcp add .*colophon/gm)].length, 2);
  const token = await world.token(['content:read']);
  const paths = [...SECTION.matchAll(/\$URL(\/api\/mcp\S+)/g)].map(([, path]) => path!);
  assert.is(paths.length, 2);
  for (const path of paths) assert.is((await send(token, path, OLD, 'tools/list')).status, 200, path);
  const url = new URL(new URL(OVER_HTTP.url).pathname, world.url);
  const key = String(token.headers.authorization).slice('Bearer '.length);
  const Authorization = OVER_HTTP.headers.Authorization.replace('cms_...', key);
  const tools = await listTools(
    new StreamableHTTPClientTransport(url, { requestInit: { headers: { Authorization } } }),
  );
  assert.ok(tools.includes('get_history'));
});

test('the README shows what waits, and how to approve it', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'open', data: { title: 'Open' }, status: 'published' });
  const drafter = await world.token(['content:read', 'content:draft', 'media:read']);
  const target = { collection: 'posts', slug: 'open' };
  await callTool(drafter, '/api/mcp/admin', OLD, 'update_document', { ...target, data: { title: 'Changed' } });
  const [list = '', approve = ''] = [...SECTION.matchAll(/\$URL(\/api\/cms\S+)/g)].map(([, path]) => path!);
  const [item] = (await world.admin.get(list)).json.items;
  assert.is((await world.admin.request('POST', approve.replace('ID', item.id))).status, 200);
  assert.is((await world.admin.get('/api/cms/posts/open')).json.data.title, 'Changed');
});

test('the README starts a server for a client that wants to', async () => {
  using cli = makeCli();
  await cli.run('user', 'add', 'ada@example.org', '--name', 'Ada', '--role', 'admin');
  const args = (OVER_STDIO.args as string[]).map((arg) =>
    arg.replace('/path/to/colophon/.data', cli.path('data')).replace('/path/to/colophon/', ROOT),
  );
  const command = OVER_STDIO.command === 'node' ? process.execPath : '';
  const tools = await listTools(new StdioClientTransport({ command, args, cwd: '/', stderr: 'ignore' }));
  assert.ok(tools.includes('publish_document'));
});

test.run();
