import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withContained } from '../../src/access/permissions.ts';
import { ANONYMOUS, type Permission, type Principal } from '../../src/access/principal.ts';
import { bounded, toAiTools } from '../../src/tools/ai-tools.ts';
import { createTools, type Tools } from '../../src/tools/registry.ts';
import type { ToolCaller } from '../../src/tools/tool.ts';
import { makeWorld, type World } from '../support/world.ts';

const WRITER: Permission[] = ['content:read', 'content:write', 'media:read', 'media:write'];

function callerWith(permissions: Permission[], change: Partial<ToolCaller> = {}): ToolCaller {
  const principal: Principal = {
    ...{ ...ANONYMOUS, kind: 'token', userId: 'u1', email: 'ada@example.org', name: 'Ada', tokenId: 't1' },
    permissions: withContained(permissions),
  };
  const draftsOnly = principal.permissions.has('content:write') ? {} : { draftsOnly: true };
  const actor = {
    kind: 'ai',
    userId: 'u1',
    name: 'Ada',
    email: 'ada@example.org',
    aiModel: 'client',
    ...draftsOnly,
  } as const;
  const { signal } = new AbortController();
  return { principal, actor, via: 'mcp', publishedOnly: false, signal, ...change };
}

function toolsOf(world: World): Tools {
  return createTools({ site: world.site(), mediaUrl: (slug) => `/uploads/${slug}` });
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests
async function resultOf(tools: Tools, name: string, input: object, caller: ToolCaller): Promise<any> {
  const outcome = await tools.call(name, input, caller);
  if ('value' in outcome) return outcome.value;
  throw new Error(`${name}: ${outcome.refusal.code} ${outcome.refusal.error}`);
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into by the tests
async function refusalOf(tools: Tools, name: string, input: object, caller: ToolCaller): Promise<any> {
  const outcome = await tools.call(name, input, caller);
  if ('refusal' in outcome) return outcome.refusal;
  throw new Error(`${name} was not refused: ${JSON.stringify(outcome.value)}`);
}

test('a draft is created, read, listed, changed and found in the history, as the work of an AI', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  const caller = callerWith(WRITER);
  const data = { title: 'Hello', body: '  # As *it* is  \n' };
  const made = await resultOf(tools, 'create_document', { collection: 'posts', data }, caller);
  assert.is(made.document.status, 'draft');
  assert.equal(made.document.data, data);
  const read = await resultOf(tools, 'get_document', { collection: 'posts', slug: 'hello' }, caller);
  assert.equal(read, { document: made.document, etag: made.etag });
  const change = { collection: 'posts', slug: 'hello', data: { rank: 2 }, ifMatch: made.etag, model: 'a-model' };
  const changed = await resultOf(tools, 'update_document', change, caller);
  assert.equal(changed.document.data, { ...data, rank: 2 });
  const { documents, total } = await resultOf(tools, 'list_documents', { collection: 'posts' }, caller);
  assert.equal([documents.length, total, documents[0].data.body], [1, 1, undefined]);
  const history = await resultOf(tools, 'get_history', { collection: 'posts', slug: 'hello' }, caller);
  assert.is(history.total, 2);
  const meta = world.site().content.fieldMeta('posts', 'hello');
  assert.equal([meta.title?.aiModel, meta.rank?.aiModel], ['client', 'a-model']);
});

test('a draft with a problem is created, and the answer says what keeps it from being published', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  const caller = callerWith([...WRITER, 'content:publish']);
  const data = { title: 'Hello', rank: -1 };
  const made = await resultOf(tools, 'create_document', { collection: 'posts', data }, caller);
  assert.equal([made.document.data.rank, made.warnings[0].path], [-1, 'data.rank']);
  const refusal = await refusalOf(tools, 'publish_document', { collection: 'posts', slug: 'hello' }, caller);
  assert.equal([refusal.code, refusal.details[0].path], ['invalid_input', 'data.rank']);
});

test('a change of a published document does not wait for a time, and the refusal says what to do', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'a', status: 'published', data: { title: 'A' } });
  await world.admin.post('/api/cms/posts', { slug: 'b', data: { title: 'B' } });
  const tools = toolsOf(world);
  const caller = callerWith([...WRITER, 'content:publish']);
  const change = { collection: 'posts', slug: 'a', data: { title: 'Later' }, publishAt: '2027-01-01T00:00:00Z' };
  const { result, events } = await world.appended(async () => [
    await refusalOf(tools, 'update_document', change, caller),
    await refusalOf(tools, 'update_document', { ...change, slug: 'b' }, caller),
  ]);
  assert.equal([events, result.map(({ code }) => code)], [[], ['draft_needed', 'invalid_input']]);
  assert.match(result[0].next, 'without publishAt');
  assert.match(result[1].error, 'schedule_document');
});

test('what is public changes only with content:publish', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  const writer = callerWith(WRITER);
  const publisher = callerWith([...WRITER, 'content:publish']);
  await resultOf(tools, 'create_document', { collection: 'posts', data: { title: 'Hello' } }, writer);
  const target = { collection: 'posts', slug: 'hello' };
  assert.is((await refusalOf(tools, 'publish_document', target, writer)).code, 'forbidden');
  const { document } = await resultOf(tools, 'publish_document', target, publisher);
  assert.is(document.status, 'published');

  const { events } = await world.appended(async () => {
    const update = { ...target, data: { title: 'Other' } };
    assert.type((await resultOf(tools, 'update_document', update, writer)).queued, 'string');
    assert.is((await refusalOf(tools, 'delete_document', target, writer)).code, 'forbidden');
    assert.is((await refusalOf(tools, 'unpublish_document', target, writer)).code, 'forbidden');
    const schedule = { ...target, unpublishAt: '2027-01-01T00:00:00Z' };
    assert.is((await refusalOf(tools, 'schedule_document', schedule, writer)).code, 'forbidden');
    const { entries } = await resultOf(tools, 'get_history', target, writer);
    const restore = { ...target, commit: entries.at(-1).commit };
    assert.is((await refusalOf(tools, 'restore_document', restore, writer)).code, 'forbidden');
  });
  assert.equal(events, []);
  const changed = await resultOf(tools, 'update_document', { ...target, data: { title: 'Other' } }, publisher);
  assert.is(changed.document.data.title, 'Other');
});

test('content:draft and content:publish are enough to write a draft and to publish it', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  const target = { collection: 'posts', slug: 'hello' };
  const caller = callerWith(['content:read', 'content:draft', 'content:publish']);
  assert.is(caller.actor.draftsOnly, true);
  await resultOf(tools, 'create_document', { collection: 'posts', data: { title: 'Hello' } }, caller);
  assert.is((await resultOf(tools, 'publish_document', target, caller)).document.status, 'published');
  const changed = await resultOf(tools, 'update_document', { ...target, data: { title: 'Other' } }, caller);
  assert.equal([changed.document.status, changed.document.data.title], ['published', 'Other']);
});

test('a scheduled draft counts as public, so that nothing is slipped into it', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  const target = { collection: 'posts', slug: 'soon' };
  const publisher = callerWith([...WRITER, 'content:publish']);
  await resultOf(tools, 'create_document', { collection: 'posts', data: { title: 'Soon' } }, publisher);
  await resultOf(tools, 'schedule_document', { ...target, publishAt: '2027-01-01T00:00:00Z' }, publisher);
  const update = { ...target, data: { title: 'Later' } };
  assert.type((await resultOf(tools, 'update_document', update, callerWith(WRITER))).queued, 'string');
  assert.is((await refusalOf(tools, 'schedule_document', target, publisher)).code, 'invalid_input');
});

test('locked fields stay, and the answer names them', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  await world.admin.post('/api/cms/posts', { slug: 'mine', data: { title: 'By a person', body: 'text' } });
  assert.is((await world.admin.put('/api/content/posts/mine/_fieldMeta/title/lock', {})).status, 200);
  await world.admin.patch('/api/cms/posts/mine', { data: { title: 'By a person still' } });
  const target = { collection: 'posts', slug: 'mine' };
  const caller = callerWith(WRITER);
  const written = await resultOf(tools, 'update_document', { ...target, data: { title: 'x', rank: 1 } }, caller);
  assert.equal([written.skippedFields, written.document.data.title], [['title'], 'By a person still']);
  const refused = await refusalOf(tools, 'update_document', { ...target, data: { title: 'x' } }, caller);
  assert.is(refused.code, 'fields_locked');
  assert.is((await refusalOf(tools, 'delete_document', target, caller)).code, 'fields_locked');
});

test('a refusal says what to do next', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  const caller = callerWith(WRITER);
  const create = (data: object) => refusalOf(tools, 'create_document', { collection: 'posts', data }, caller);
  const unknown = await create({ title: 'a', headline: 'b' });
  assert.is(unknown.code, 'invalid_input');
  assert.equal(
    unknown.details.map(({ path }: { path: string }) => path),
    ['data.headline'],
  );
  assert.match(unknown.next, 'title, body, rank');
  assert.is((await create({ title: 'a', rank: 'many' })).code, 'invalid_input');
  assert.match((await refusalOf(tools, 'get_schema', { collection: 'post' }, caller)).next, 'posts, notes, many');
  assert.is((await refusalOf(tools, 'get_document', { collection: 'posts', slug: 'no' }, caller)).code, 'not_found');
  assert.match((await refusalOf(tools, 'search', { query: 'a' }, caller)).next, 'arguments of search: q,');
  assert.is((await refusalOf(tools, 'drop_site', {}, caller)).code, 'not_found');
  const made = await resultOf(tools, 'create_document', { collection: 'posts', data: { title: 'a' } }, caller);
  const stale = { collection: 'posts', slug: made.document.slug, data: { rank: 1 }, ifMatch: '"other"' };
  assert.is((await refusalOf(tools, 'update_document', stale, caller)).code, 'precondition_failed');
});

test('a caller sees and may use only the tools of its permissions', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  const namesFor = (permissions: Permission[]) => tools.list(callerWith(permissions)).map(({ name }) => name);
  assert.equal(namesFor([]), []);
  assert.equal(namesFor(['forms:read']), ['list_forms', 'list_form_submissions']);
  assert.equal(namesFor(['content:read-published']), [
    ...['list_collections', 'get_schema', 'list_documents', 'get_document', 'search'],
  ]);
  const viewer = callerWith(['content:read']);
  for (const tool of tools.all.filter((one) => !tools.list(viewer).includes(one))) {
    const refused = await refusalOf(tools, tool.name, {}, viewer);
    assert.is(refused.code, 'forbidden', tool.name);
    assert.not.match(refused.next, 'propose_change');
  }
  const held = { ...viewer, principal: { ...viewer.principal, heldBack: 'set up a code first' } };
  assert.equal(tools.list(held), []);
  assert.is((await refusalOf(tools, 'list_collections', {}, held)).code, 'forbidden');
});

test('readers of published documents see no draft through any tool', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { slug: 'secret', data: { title: 'Secret plan' } });
  await world.admin.post('/api/cms/posts', { slug: 'open', data: { title: 'Open plan' }, status: 'published' });
  const tools = toolsOf(world);
  const admin = callerWith([...WRITER], { publishedOnly: true });
  for (const caller of [callerWith(['content:read-published']), admin]) {
    assert.is(
      (await refusalOf(tools, 'get_document', { collection: 'posts', slug: 'secret' }, caller)).code,
      'not_found',
    );
    for (const status of ['all', 'draft', undefined]) {
      const list = await resultOf(tools, 'list_documents', { collection: 'posts', ...(status && { status }) }, caller);
      const found = await resultOf(tools, 'search', { q: 'plan', ...(status && { status }) }, caller);
      assert.not.match(JSON.stringify([list, found]), /secret/i);
    }
  }
});

test('a file is uploaded as base64, and listed with its address', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  const caller = callerWith(WRITER);
  const base64 = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');
  const { file } = await resultOf(tools, 'upload_media', { name: 'a.pdf', base64, alt: 'A file' }, caller);
  const { files, total } = await resultOf(tools, 'list_media', {}, caller);
  assert.equal([files[0], total, file.alt], [file, 1, 'A file']);
  assert.is((await refusalOf(tools, 'upload_media', { name: 'a.pdf', base64: '%%%' }, caller)).code, 'invalid_input');
  assert.is(
    (await refusalOf(tools, 'upload_media', { name: 'a.pdf', base64, url: 'http://x' }, caller)).code,
    'invalid_input',
  );
});

test('each tool says what it does and whether it reads what others wrote', async () => {
  await using world = await makeWorld();
  const { all } = toolsOf(world);
  // A tool is not registered without both: their types are required.
  assert.equal(Object.fromEntries(all.map(({ name, effect, reads }) => [name, `${effect} ${reads}`])), {
    ...{ list_collections: 'none own', get_schema: 'none own', list_documents: 'none others' },
    ...{ get_document: 'none others', search: 'none others', list_media: 'none others' },
    ...{ upload_media: 'upload others', get_history: 'none others' },
    ...{ create_document: 'create own', update_document: 'update others', delete_document: 'delete own' },
    ...{ restore_document: 'restore others', propose_change: 'propose own' },
    ...{ publish_document: 'publish others', unpublish_document: 'unpublish others' },
    ...{ schedule_document: 'schedule others', list_curation: 'none others' },
    ...{ approve_item: 'approve others', reject_item: 'reject others' },
    ...{ list_deploys: 'none others', trigger_deploy: 'deploy others' },
    ...{ list_forms: 'none own', list_form_submissions: 'none others' },
  });
  for (const { name, effect, annotations } of all) assert.is(annotations.readOnlyHint, effect === 'none', name);
});

test('a call that is held does nothing, names its document and version, and is refused as the call would be', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  const publisher = callerWith([...WRITER, 'content:publish']);
  const target = { collection: 'posts', slug: 'hello' };
  const made = await resultOf(tools, 'create_document', { collection: 'posts', data: { title: 'Hello' } }, publisher);
  const { result, events } = await world.appended(() =>
    tools.hold('publish_document', { ...target, slug: made.document.id }, publisher),
  );
  assert.equal(events, []);
  assert.equal(result, {
    held: {
      ...{ tool: 'publish_document', effect: 'publish', document: { ...target, title: 'Hello' }, version: made.etag },
      input: { ...target, ifMatch: made.etag },
    },
  });
  assert.equal(await tools.hold('update_document', { ...target, data: { rank: 1 } }, publisher), { held: undefined });
  const refused = await tools.hold('publish_document', target, callerWith(WRITER));
  assert.is('refusal' in refused && refused.refusal.code, 'forbidden');
  await resultOf(tools, 'publish_document', target, publisher);
  const update = { ...target, data: { rank: 1 } };
  const held = await tools.hold('update_document', update, publisher);
  assert.is('held' in held && held.held?.effect, 'update');
  // Without the right it is queued, as ever.
  assert.equal(await tools.hold('update_document', update, callerWith(WRITER)), { held: undefined });
  const draftsOnly = { ...publisher, draftsOnly: true };
  assert.type((await resultOf(tools, 'update_document', update, draftsOnly)).queued, 'string');
  assert.is((await refusalOf(tools, 'delete_document', target, draftsOnly)).code, 'forbidden');
});

test('a model in this service gets the same tools, with results of at most 20 KB', async () => {
  await using world = await makeWorld();
  const tools = toolsOf(world);
  const { signal, ...caller } = callerWith(WRITER);
  const offered = toAiTools(
    tools,
    { ...caller, via: 'chat' },
    {
      isOffered: ({ name }) => name !== 'search',
    },
  );
  assert.not.ok(offered.some(({ name }) => name === 'search' || name === 'publish_document'));
  const create = offered.find(({ name }) => name === 'create_document')!;
  await create.run({ collection: 'posts', data: { title: 'Long', body: '"\n'.repeat(30_000) } }, signal);
  const get = offered.find(({ name }) => name === 'get_document')!;
  const result = JSON.stringify(await get.run({ collection: 'posts', slug: 'long' }, signal));
  assert.ok(Buffer.byteLength(result) <= 20_000, String(result.length));
  assert.match(result, /isCut/);
  assert.equal(bounded({ a: 1 }), { a: 1 });
  try {
    await create.run({ collection: 'nowhere', data: {} }, signal);
    assert.unreachable();
  } catch (error) {
    assert.is((error as { code?: string }).code, 'not_found');
  }
});

test.run();
