// The command line of the inspector, with which people check an MCP server, in both eras.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PERMISSIONS } from '../../src/access/principal.ts';
import { makeWorld, type World } from '../support/world.ts';

const PACKAGE = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
const { bin } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { bin: Record<string, string> };
const PROGRAM = path.join(path.dirname(PACKAGE), bin['mcp-inspector']!);
const TOOL_REFUSED = 5;
const KEY_REFUSED = 3;

type Era = 'legacy' | 'modern';

interface Inspected {
  code: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests
  result: any;
  err: string;
}

/** It keeps its own files in the home folder, here one of the test. */
function inspect(world: World, era: Era, target: string, key: string | undefined, ...more: string[]) {
  const headers = key === undefined ? [] : ['--header', `Authorization: ${key}`];
  const place = ['--server-url', world.url + target, '--transport', 'http', '--protocol-era', era];
  const args = [PROGRAM, '--cli', ...place, ...headers, '--stored-auth-only', '--format', 'json', ...more];
  const env = { PATH: process.env.PATH, HOME: world.dataDir };
  return new Promise<Inspected>((resolve) => {
    execFile(process.execPath, args, { env }, (error, out, err) => {
      const result = out.trim() === '' ? undefined : JSON.parse(out).result;
      resolve({ code: error ? Number(error.code) : 0, result, err });
    });
  });
}

function callWith(tool: string, input: object): string[] {
  return ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(input)];
}

for (const era of ['legacy', 'modern'] as const) {
  test(`${era}: the inspector has nothing to say about the tools, and its calls and a missing key behave`, async () => {
    await using world = await makeWorld();
    const key = String((await world.token([...PERMISSIONS])).headers.authorization);
    const admin = (...more: string[]) => inspect(world, era, '/api/mcp/admin', key, ...more);
    const data = { title: '007 as it is' };
    const [listed, made, refused, stranger] = await Promise.all([
      admin('--method', 'tools/list', '--strict'),
      admin(...callWith('create_document', { collection: 'posts', data })),
      admin(...callWith('get_document', { collection: 'posts', slug: 'no' })),
      inspect(world, era, '/api/mcp/admin', undefined, '--method', 'tools/list'),
    ]);
    assert.equal([listed.code, listed.err.trim()], [0, '']);
    assert.ok(listed.result.tools.length > 15);
    assert.is(made.code, 0, made.err);
    assert.equal(made.result.structuredContent.document.data, data);
    assert.is(refused.code, TOOL_REFUSED, refused.err);
    assert.is(JSON.parse(refused.result.content[0].text).code, 'not_found');
    assert.equal([stranger.code, stranger.result], [KEY_REFUSED, undefined]);
  });
}

test('the inspector reads resources and prompts', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'hello', data: { title: 'Hello' } });
  const key = String((await world.token(['content:read', 'content:write'])).headers.authorization);
  const [read, prompt] = await Promise.all([
    inspect(world, 'modern', '/api/mcp/admin', key, '--method', 'resources/read', '--uri', 'cms://posts/hello'),
    inspect(
      ...([world, 'legacy', '/api/mcp/admin', key, '--method', 'prompts/get', '--prompt-name'] as const),
      ...['review_document', '--prompt-args', 'collection=posts', 'slug=hello'],
    ),
  ]);
  assert.is(JSON.parse(read.result.contents[0].text).slug, 'hello');
  assert.match(prompt.result.messages[0].content.text, 'Hello');
});

test.run();
