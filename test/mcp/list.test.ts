import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { PERMISSIONS } from '../../src/access/principal.ts';
import { callTool, NEW, OLD, send } from '../support/mcp/rpc.ts';
import { CONFIG, makeWorld } from '../support/world.ts';

const ADMIN = '/api/mcp/admin';
const PUBLIC = '/api/mcp';
const MAX_BYTES = 24_000;

test('the list of tools is as long with a hundred collections as with three, and under 24 KB', async () => {
  const many = Array.from({ length: 100 }, (_, at) => ({
    name: `c${at}`,
    fields: [{ name: 'title', type: 'text' as const }],
  }));
  await using few = await makeWorld();
  await using hundred = await makeWorld({ config: { ...CONFIG, collections: many } });
  for (const era of [OLD, NEW] as const) {
    const sizes: number[] = [];
    for (const world of [few, hundred]) {
      const { text } = await send(await world.token([...PERMISSIONS]), ADMIN, era, 'tools/list');
      sizes.push(Buffer.byteLength(text) - /"id":\d+/.exec(text)![0].length);
    }
    assert.is(sizes[0], sizes[1]);
    assert.ok(sizes[0]! < MAX_BYTES, `${sizes[0]} bytes`);
  }
});

test('every tool has a title, a description, hints, and schemas of objects', async () => {
  await using world = await makeWorld();
  const { json } = await send(await world.token([...PERMISSIONS]), ADMIN, OLD, 'tools/list');
  for (const tool of json.result.tools) {
    assert.ok(tool.title && tool.description.length < 400, tool.name);
    assert.is(tool.inputSchema.type, 'object', tool.name);
    assert.is(tool.inputSchema.additionalProperties, false, tool.name);
    assert.is(tool.outputSchema.type, 'object', tool.name);
    assert.is(Object.keys(tool.annotations).length, 4, tool.name);
    const reads = /^(list|get)_|^search$/.test(tool.name);
    assert.is(tool.annotations.readOnlyHint, reads, tool.name);
  }
});

test('permissions decide which tools are listed, and the public endpoint reads only', async () => {
  await using world = await makeWorld();
  const namesFor = async (client: typeof world.anonymous, path: string) =>
    (await send(client, path, NEW, 'tools/list')).json.result.tools.map(({ name }: { name: string }) => name);
  const reading = ['list_collections', 'get_schema', 'list_documents', 'get_document', 'search'];
  assert.equal(await namesFor(world.anonymous, PUBLIC), reading);
  assert.equal(await namesFor(await world.token([...PERMISSIONS]), PUBLIC), reading);
  assert.equal(await namesFor(await world.token(['content:read-published']), ADMIN), reading);
  assert.equal(await namesFor(await world.token(['deploy:read']), ADMIN), ['list_deploys']);
  const drafter = await namesFor(await world.token(['content:read', 'content:draft']), ADMIN);
  assert.ok(drafter.includes('create_document') && !drafter.includes('publish_document'));
});

test('with mcpPublic set to true the public endpoint shows published documents, whatever the site shows over REST, and nothing else', async () => {
  await using world = await makeWorld();
  await world.site().settings.update({ mcpPublic: true }, { id: null, name: 'test', email: '' });
  await world.admin.post('/api/cms/posts', { slug: 'open', data: { title: 'Open' }, status: 'published' });
  await world.admin.post('/api/cms/posts', { slug: 'hidden', data: { title: 'Hidden' } });
  assert.is((await world.anonymous.get('/api/cms/posts/open')).status, 401);
  for (const client of [world.anonymous, world.admin, await world.token([...PERMISSIONS])]) {
    const read = (slug: string) => callTool(client, PUBLIC, NEW, 'get_document', { collection: 'posts', slug });
    assert.is((await read('open')).structuredContent.document.data.title, 'Open');
    assert.is((await read('hidden')).isError, true);
    const list = await callTool(client, PUBLIC, OLD, 'list_documents', { collection: 'posts', status: 'all' });
    assert.is(list.structuredContent.total, 1);
    const write = await callTool(client, PUBLIC, NEW, 'create_document', { collection: 'posts', data: { title: 'x' } });
    assert.is(JSON.parse(write.content[0].text).code, 'forbidden');
    const { json } = await send(client, PUBLIC, NEW, 'resources/read', { uri: 'cms://posts/hidden' });
    assert.is(json.error.code, -32602);
  }
});

test.run();
