import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { tryEndpoint } from '../../src/mcp/try-endpoint.ts';
import { callTool, NEW, send } from '../support/mcp/rpc.ts';
import { makeWorld } from '../support/world.ts';

const ADMIN = '/api/mcp/admin';

async function connect(url: string, authorization: string) {
  const client = new Client({ name: 'official', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

test('the official client of 2025-11-25 lists, writes, reads and is refused', async () => {
  await using world = await makeWorld();
  const token = await world.token(['content:read', 'content:write', 'content:publish', 'media:read', 'media:write']);
  await using connected = await connect(world.url + ADMIN, token.headers.authorization as string);
  const { client } = connected;
  assert.is(client.getServerVersion()?.name, 'colophon');
  const call = async (name: string, args: Record<string, unknown>) =>
    // biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the test
    (await client.callTool({ name, arguments: args })) as any;
  // From here on the client checks each structured answer against the output schema of its tool.
  assert.ok((await client.listTools()).tools.length > 10);
  const target = { collection: 'posts', slug: 'hello' };
  await call('create_document', { ...target, data: { title: 'Hello' } });
  await call('publish_document', target);
  await call('list_documents', { collection: 'posts' });
  await call('get_history', target);
  await call('search', { q: 'hello' });
  await call('get_schema', { collection: 'posts' });
  await call('list_collections', {});
  await call('list_media', {});
  await call('unpublish_document', target);
  await call('update_document', { ...target, data: { rank: 3 } });
  await call('schedule_document', { ...target, publishAt: '2030-01-01T00:00:00Z' });
  const read = await call('get_document', target);
  assert.equal(read.structuredContent.document.data, { title: 'Hello', rank: 3 });
  const refused = await call('get_document', { ...target, slug: 'nothing' });
  assert.is(refused.isError, true);
  assert.is(JSON.parse(refused.content[0].text).code, 'not_found');
  const { resources } = await client.listResources();
  assert.is(resources[0]?.uri, 'cms://schema/posts');
  const { contents } = await client.readResource({ uri: 'cms://posts/hello' });
  assert.is(JSON.parse((contents[0] as { text: string }).text).slug, 'hello');
  assert.is((await client.listResourceTemplates()).resourceTemplates.length, 2);
  assert.is((await client.listPrompts()).prompts.length, 2);
  assert.is((await call('delete_document', target)).structuredContent.deleted, true);
});

test('a client of 2026-07-28 discovers the server without a session', async () => {
  await using world = await makeWorld();
  const token = await world.token(['content:read', 'content:write']);
  const { json, headers } = await send(token, ADMIN, NEW, 'server/discover');
  assert.equal(json.result.supportedVersions, [NEW]);
  assert.is(headers['mcp-session-id'], undefined);
  await callTool(token, ADMIN, NEW, 'create_document', { collection: 'posts', data: { title: 'New era' } });
  const read = await callTool(token, ADMIN, NEW, 'get_document', { collection: 'posts', slug: 'new-era' });
  assert.is(read.structuredContent.document.data.title, 'New era');
  assert.ok((await send(token, ADMIN, NEW, 'subscriptions/listen', { notifications: {} })).json.error);
});

test('a trial lists the tools, and says why if it cannot', async () => {
  await using world = await makeWorld();
  const key = String((await world.token(['content:read'])).headers.authorization).slice('Bearer '.length);
  const tried = await tryEndpoint({ url: world.url + ADMIN, key });
  assert.ok(tried.tools.some(({ name }) => name === 'get_document'));
  assert.is((await tryEndpoint({ url: `${world.url}/api/mcp` })).tools.length, 5);
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const { port } = closed.address() as AddressInfo;
  closed.close();
  await once(closed, 'close');
  const wrong = [
    [{ url: world.url + ADMIN, key: 'cms_wrong' }, /not valid/],
    [{ url: world.url + ADMIN }, /keygen/],
    [{ url: `${world.url}/api/none`, key }, /no MCP endpoint/],
    [{ url: `http://127.0.0.1:${port}/api/mcp` }, /nothing answers/],
  ] as const;
  for (const [options, reason] of wrong) {
    const error = await tryEndpoint(options).then(
      () => undefined,
      (failed: Error) => failed,
    );
    assert.match(error?.message ?? 'no error', reason);
  }
});

test.run();
