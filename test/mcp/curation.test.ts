import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { callTool, NEW } from '../support/mcp/rpc.ts';
import { makeWorld } from '../support/world.ts';

const ADMIN = '/api/mcp/admin';
const TARGET = { collection: 'posts', slug: 'open' };

test('a change of what is public waits for a person unless the key may publish, and is approved or rejected', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'open', data: { title: 'Open' }, status: 'published' });
  const drafter = await world.token(['content:read', 'content:draft']);
  const editor = await world.token(['content:read', 'content:write', 'content:publish']);
  const call = (client: typeof drafter, name: string, input: object) =>
    callTool(client, ADMIN, NEW, name, input as Record<string, unknown>);
  const titleNow = async () => (await call(drafter, 'get_document', TARGET)).structuredContent.document.data.title;

  const { result, events } = await world.appended(() =>
    call(drafter, 'update_document', { ...TARGET, data: { title: '  As *given* ' } }),
  );
  const { queued, document } = result.structuredContent;
  assert.type(queued, 'string');
  assert.equal([document, events, await titleNow()], [undefined, [], 'Open']);
  const proposed = await call(drafter, 'propose_change', { ...TARGET, data: { body: 'Other' } });
  const listed = await call(drafter, 'list_curation', { limit: 1 });
  assert.equal([listed.structuredContent.total, listed.structuredContent.nextOffset], [2, 1]);

  for (const [name, input] of [
    ['approve_item', { id: queued }],
    ['reject_item', { id: queued }],
  ] as const) {
    const refused = await call(drafter, name, input);
    assert.equal([refused.isError, JSON.parse(refused.content[0].text).code], [true, 'forbidden'], name);
  }
  const [{ etag }] = (await call(drafter, 'list_curation', { offset: 1 })).structuredContent.items;
  await world.admin.patch(`/api/cms/curation/${queued}`, { status: 'in_review' });
  const stale = JSON.parse((await call(editor, 'approve_item', { id: queued, ifMatch: etag })).content[0].text);
  assert.equal([stale.code, stale.next], ['precondition_failed', 'list_curation has the item as it is now']);
  const [{ etag: ifMatch }] = (await call(drafter, 'list_curation', { offset: 1 })).structuredContent.items;
  const approved = await call(editor, 'approve_item', { id: queued, ifMatch });
  assert.is(approved.structuredContent.item.status, 'published');
  assert.is(await titleNow(), '  As *given* ');
  const again = JSON.parse((await call(editor, 'approve_item', { id: queued })).content[0].text);
  assert.is(again.code, 'conflict');
  assert.match(again.next, 'list_curation');
  const other = { id: proposed.structuredContent.queued, feedback: 'No' };
  assert.is((await call(editor, 'reject_item', other)).structuredContent.item.status, 'rejected');
  assert.is((await call(drafter, 'list_curation', {})).structuredContent.total, 0);
  const unknown = JSON.parse((await call(editor, 'reject_item', { id: 'none' })).content[0].text);
  assert.equal([unknown.code, unknown.next], ['not_found', 'list_curation has the items']);
});

test.run();
