// The size of a message: what strangers send, and what stands beside the arguments of a tool.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { headersOf, NEW, OLD, toMessage } from '../support/mcp/rpc.ts';
import { type Client, makeWorld } from '../support/world.ts';

const wide = (keys: number): object => Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, at]));

/** The error's code; undefined if the message was answered. */
async function refusal(client: Client, path: string, era: typeof OLD | typeof NEW, params: object, method: string) {
  const message = toMessage(era, method) as { params?: object };
  const body = { ...message, params: { ...message.params, ...params } };
  const { status, json } = await client.post(path, body, headersOf(era, method, params as Record<string, unknown>));
  return status === 200 ? undefined : `${status} ${json.error.code}`;
}

test('a stranger’s message is small, whatever it is large in', async () => {
  await using world = await makeWorld();
  for (const era of [OLD, NEW] as const) {
    const ask = (params: object, method = 'tools/list') => refusal(world.anonymous, '/api/mcp', era, params, method);
    const meta = (toMessage(era, 'tools/list') as { params?: { _meta?: object } }).params?._meta;
    assert.is(await ask({}), undefined);
    assert.is(await ask({ _meta: { ...meta, ...wide(300) } }), undefined);
    for (const [name, params] of Object.entries({
      keys: { _meta: { ...meta, ...wide(600) } },
      items: { _meta: { ...meta, list: Array.from({ length: 600 }, () => 1) } },
      nested: { _meta: { ...meta, lists: Array.from({ length: 30 }, () => wide(20)) } },
      text: { _meta: { ...meta, text: 'x'.repeat(70_000) } },
      others: wide(600),
    })) {
      assert.match((await ask(params)) ?? '', /^400 -32[67]00$/, `${era} ${name}`);
    }
    for (const given of [wide(600), { tags: Array.from({ length: 600 }, () => 1) }]) {
      const call = { name: 'list_documents', arguments: { collection: 'notes', ...given } };
      assert.match((await ask(call, 'tools/call')) ?? '', /^400 -32[67]00$/, era);
    }
  }
});

test('the owner of a token sends large arguments, and nothing large beside them', async () => {
  await using world = await makeWorld();
  const token = await world.token(['content:read']);
  for (const era of [OLD, NEW] as const) {
    const meta = (toMessage(era, 'tools/call') as { params?: { _meta?: object } }).params?._meta;
    const given = { name: 'list_documents', arguments: { collection: 'notes', ...wide(2000) } };
    const ask = (params: object) => refusal(token, '/api/mcp/admin', era, { ...given, ...params }, 'tools/call');
    assert.is(await ask({}), undefined);
    assert.is(await ask({ _meta: { ...meta, ...wide(600) } }), '400 -32700');
    assert.is(await ask({ _meta: { ...meta, arguments: wide(600) } }), '400 -32700');
    assert.is(await ask({ more: Array.from({ length: 600 }, () => ({})) }), '400 -32700');
  }
});

test.run();
