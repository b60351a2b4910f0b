import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { OLD, send } from '../support/mcp/rpc.ts';
import { makeWorld } from '../support/world.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const SECTION = /^## Connecting AI clients\n([\s\S]*?)(?=^## )/m.exec(README)?.[1] ?? '';

test('the README connects the clients that it names, to an endpoint that exists', async () => {
  await using world = await makeWorld();
  for (const file of ['.cursor/mcp.json', '.vscode/mcp.json']) assert.match(SECTION, file);
  assert.is([...SECTION.matchAll(/^\w+ mcp add .*colophon/gm)].length, 2);
  const { mcpServers } = JSON.parse(/```json\n([\s\S]*?)```/.exec(SECTION)![1]!);
  const { url, headers } = mcpServers.colophon;
  assert.match(headers.Authorization, /^Bearer cms_/);
  const token = await world.token(['content:read']);
  const paths = [new URL(url).pathname, ...[...SECTION.matchAll(/\$URL(\/api\/\S+)/g)].map(([, path]) => path!)];
  assert.is(paths.length, 3);
  for (const path of paths) assert.is((await send(token, path, OLD, 'tools/list')).status, 200, path);
});

test.run();
