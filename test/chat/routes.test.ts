import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ScriptedKind } from '../support/ai/provider.ts';
import { CONFIG, makeWorld } from '../support/world.ts';
import { CHAT, chat, makeChatWorld, openTurn } from './world.ts';

const HELLO = { messages: [{ role: 'user' as const, content: 'Hello' }] };
const LIST = `${CHAT}/conversations`;

for (const kind of ['anthropic', 'openai', 'openai-compatible'] satisfies ScriptedKind[]) {
  test(`${kind}: a turn is a stream of text, calls and results, and ends with what it used`, async () => {
    const script = [
      { text: 'I look.', calls: [{ tool: 'list_documents', input: { collection: 'posts' } }] },
      { text: 'There is one: "Tides".' },
    ];
    await using made = await makeChatWorld(script, { kind });
    const { admin } = made.world;
    await admin.post('/api/cms/posts', { slug: 'tides', data: { title: 'Tides' } });
    const { status, events, text, results, conversationId } = await chat(admin, 'Which posts are there?');
    assert.is(status, 200);
    assert.is(text, 'I look.\n\nThere is one: "Tides".');
    assert.is(results[0]?.[1].documents[0].slug, 'tides');
    const call = events.find(({ event }) => event === 'tool_call')!.data;
    assert.equal([call.tool, call.input], ['list_documents', { collection: 'posts' }]);
    assert.equal(events.at(-1), {
      event: 'done',
      data: { conversationId, usage: { inputTokens: 20, outputTokens: 10, costUsd: 0.00014 } },
    });
    assert.match(made.provider.requests[1]!.messages.at(-1)!.text, '<untrusted');
  });
}

test('who may not read content gets no answer, and what does not fit is refused before the model is asked', async () => {
  await using made = await makeChatWorld([]);
  const { world, provider } = made;
  const { anonymous, admin } = world;
  const published = await world.token(['content:read-published']);
  for (const [method, path] of [
    ['POST', CHAT],
    ['GET', LIST],
    ['DELETE', LIST],
    ['GET', `${LIST}/none`],
    ['DELETE', `${LIST}/none`],
  ] as const) {
    const body = method === 'POST' ? HELLO : undefined;
    assert.is((await anonymous.request(method, path, body)).status, 401, path);
    assert.is((await published.request(method, path, body)).status, 403, path);
  }
  const bad = [
    {},
    { messages: [] },
    { messages: [{ role: 'system', content: 'x' }] },
    { messages: [{ role: 'user', content: '' }] },
    { messages: [{ role: 'user', content: 'x'.repeat(100_001) }] },
    { messages: [{ role: 'assistant', content: 'x' }] },
    { messages: Array.from({ length: 201 }, () => HELLO.messages[0]) },
    { ...HELLO, system: 'x' },
  ];
  for (const body of bad) assert.is((await admin.post(CHAT, body)).status, 400, JSON.stringify(body).slice(0, 80));
  for (const id of ['none', '../x', 'a/b', '..']) {
    assert.is((await admin.post(CHAT, { ...HELLO, conversationId: id })).status, 404, id);
    assert.is((await admin.get(`${LIST}/${encodeURIComponent(id)}`)).status, 404, id);
  }
  assert.is(provider.requests.length, 0);
});

test('without a provider it is 503, and conversations can still be read', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const { status, json } = await world.admin.post(CHAT, HELLO);
  assert.equal([status, json.code], [503, 'unavailable']);
  assert.equal((await world.admin.get(LIST)).json, { conversations: [] });
});

test('a link that begins before a call of a tool does not become one after it', async () => {
  const call = { tool: 'list_documents', input: { collection: 'posts' } };
  for (const begun of ['![a]( ', '![a](', '[a]: ']) {
    await using made = await makeChatWorld([
      { text: begun, calls: [call] },
      { text: '&#47;&#47;evil.example/p.png?d=x)' },
    ]);
    const { text } = await chat(made.world.admin, 'Hello');
    assert.match(text, 'evil.example');
    assert.not.match(text, /\][(:]/);
  }
});

test('a turn in which the model says nothing can be continued', async () => {
  const call = { tool: 'list_documents', input: { collection: 'posts' } };
  await using made = await makeChatWorld([{ calls: [call] }, {}, { text: 'Yes.' }], { kind: 'openai-compatible' });
  const { conversationId } = await chat(made.world.admin, 'Hello');
  assert.is(
    (await chat(made.world.admin, { conversationId, messages: [{ role: 'user', content: 'Still there?' }] })).text,
    'Yes.',
  );
});

test('a turn has at most 25 steps', async () => {
  await using made = await makeChatWorld(() => ({ calls: [{ tool: 'list_collections', input: {} }] }));
  const { events } = await chat(made.world.admin, 'Loop');
  assert.is(events.at(-1)?.event, 'done');
  assert.is(made.provider.requests.length, 25);
});

test('tools are those of the caller, and of the caller as it is at the call', async () => {
  await using made = await makeChatWorld(() => ({ text: 'ok' }));
  const { world, provider } = made;
  const names: Record<string, string[]> = {};
  for (const role of ['admin', 'editor', 'author', 'viewer'] as const) {
    await chat(role === 'admin' ? world.admin : await world.user(role), 'Hello');
    names[role] = provider.requests.at(-1)!.tools;
  }
  for (const tool of ['list_documents', 'get_schema', 'list_media', 'get_history']) {
    for (const role of Object.keys(names)) assert.ok(names[role]!.includes(tool), `${role} ${tool}`);
  }
  for (const tool of ['create_document', 'upload_media']) assert.not(names.viewer!.includes(tool), tool);
  for (const tool of ['list_forms', 'list_form_submissions', 'trigger_deploy', 'schedule_document']) {
    assert.ok(names.editor!.includes(tool), tool);
    assert.not(names.author!.includes(tool), tool);
  }

  // The user loses the role while the model thinks.
  const { json: users } = await world.admin.get('/api/admin/users');
  const author = users.users.find(({ role }: { role: string }) => role === 'author');
  const held = Promise.withResolvers<void>();
  const create = { tool: 'create_document', input: { collection: 'posts', data: { title: 'x' } } };
  provider.play([{ text: 'I write it now', calls: [create], hold: held.promise }, { text: 'Done' }]);
  const { json: login, headers } = await world.anonymous.post('/api/auth/login', {
    ...{ email: author.email, password: 'correct horse' },
  });
  assert.ok(login);
  const client = world.client({ cookie: headers['set-cookie']![0]!.split(';')[0]! });
  const { events } = await world.appended(async () => {
    const turn = openTurn(made, client, HELLO);
    await turn.first;
    assert.is((await world.admin.patch(`/api/admin/users/${author.id}`, { role: 'viewer' })).status, 200);
    held.resolve();
    await turn.all;
  });
  assert.equal(events, []);
});

test('the system prompt has the brand voice and marks what is untrusted', async () => {
  await using made = await makeChatWorld(() => ({ text: 'ok' }));
  const { world, provider } = made;
  await chat(world.admin, 'Hello');
  assert.not(provider.requests[0]!.system.includes('## Brand Voice'));
  await world.admin.post('/api/cms/brand-voice', { primaryTone: 'Dry and friendly' });
  await chat(world.admin, 'Hello');
  assert.match(provider.requests[1]!.system, '## Brand Voice');
  assert.match(provider.requests[1]!.system, 'Dry and friendly');
  assert.match(provider.requests[1]!.system, '<untrusted');
});

test.run();
