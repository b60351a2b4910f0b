import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CHAT, chat, makeChatWorld, openTurn } from './world.ts';

const HELLO = { messages: [{ role: 'user' as const, content: 'Hello' }] };
const LIST = `${CHAT}/conversations`;

test('conversations are kept for their user alone, outside of git', async () => {
  await using made = await makeChatWorld(({ messages }) => ({ text: `answer ${messages.length}` }));
  const { world, provider } = made;
  const editor = await world.user('editor');
  const token = await world.token(['content:read']);
  const { events } = await world.appended(async () => {
    const first = await chat(world.admin, 'One');
    const id = first.conversationId!;
    await chat(world.admin, { messages: [{ role: 'user', content: 'Two' }], conversationId: id });
    assert.equal(
      provider.requests[1]?.messages.map(({ text }) => text),
      ['One', 'answer 1', 'Two'],
    );
    const kept = (await world.admin.get(`${LIST}/${id}`)).json;
    assert.equal(
      kept.messages.map(({ content }: { content: string }) => content),
      ['One', 'answer 1', 'Two', 'answer 3'],
    );
    const [summary] = (await world.admin.get(LIST)).json.conversations;
    assert.equal([summary.id, summary.title, summary.messageCount, summary.messages], [id, 'One', 4, undefined]);
    for (const other of [editor, token]) {
      assert.equal((await other.get(LIST)).json, { conversations: [] });
      assert.is((await other.get(`${LIST}/${id}`)).status, 404);
      assert.is((await other.delete(`${LIST}/${id}`)).status, 404);
      assert.is((await other.post(CHAT, { ...HELLO, conversationId: id })).status, 404);
      assert.is((await other.delete(LIST)).status, 200);
    }
    const whole = [...HELLO.messages, { role: 'assistant', content: 'Hi' }, { role: 'user', content: 'Three' }];
    await chat(world.admin, { messages: whole, conversationId: id });
    await world.restart();
    assert.is((await world.admin.get(`${LIST}/${id}`)).json.messages.length, 4);
    assert.is((await world.admin.get(`${LIST}/${id}`)).json.messages[0].content, 'Hello');
    await chat(world.admin, 'Another');
    assert.is((await world.admin.delete(`${LIST}/${id}`)).status, 200);
    assert.is((await world.admin.get(`${LIST}/${id}`)).status, 404);
    assert.is((await world.admin.get(LIST)).json.conversations.length, 1);
    await world.admin.delete(LIST);
    assert.equal((await world.admin.get(LIST)).json, { conversations: [] });
  });
  assert.equal(events, []);
});

test('turns that end at once in one conversation are both kept, and what is deleted meanwhile does not come back', async () => {
  const hold = Promise.withResolvers<void>();
  await using made = await makeChatWorld(({ messages }) => ({
    text: `to ${messages.at(-1)?.text}`,
    ...(messages.at(-1)?.text === 'One' ? {} : { hold: hold.promise }),
  }));
  const { world, provider } = made;
  const conversationId = (await chat(world.admin, 'One')).conversationId!;
  const next = (content: string) => chat(world.admin, { messages: [{ role: 'user', content }], conversationId });
  const both = [next('Two'), next('Three')];
  await provider.haveCome(3);
  hold.resolve();
  await Promise.all(both);
  const { messages } = (await world.admin.get(`${LIST}/${conversationId}`)).json;
  const said = messages.map(({ content }: { content: string }) => content);
  assert.equal(said.slice(0, 2), ['One', 'to One']);
  assert.equal(said.slice(2).sort(), ['Three', 'Two', 'to Three', 'to Two']);

  const again = Promise.withResolvers<void>();
  provider.play([{ text: 'to the last', hold: again.promise }]);
  const last = next('Last');
  await provider.haveCome(4);
  await world.admin.delete(`${LIST}/${conversationId}`);
  again.resolve();
  const begun = (await last).conversationId!;
  assert.is.not(begun, conversationId);
  assert.is((await world.admin.get(`${LIST}/${conversationId}`)).status, 404);
  assert.is((await world.admin.get(`${LIST}/${begun}`)).json.messages.length, 2);
});

test('a provider that fails ends the stream with an error, and nothing is kept or quoted', async () => {
  const failures = [
    [{ status: 401 }, 'provider_refused'],
    [{ status: 429, retryAfter: '7' }, 'provider_busy'],
    [{ text: 'A longer answer that is cut', cutAfter: 2 }, 'provider_busy'],
    [{ text: '' }, 'model_output'],
  ] as const;
  await using made = await makeChatWorld([...failures.map(([turn]) => turn)]);
  const { world } = made;
  for (const [, code] of failures) {
    const { status, events, body } = await chat(world.admin, 'the private question');
    assert.is(status, 200);
    assert.equal([events.at(-1)?.event, events.at(-1)?.data.code], ['error', code]);
    assert.not(body.includes('the private question'));
  }
  assert.equal((await world.admin.get(LIST)).json, { conversations: [] });
  assert.not(JSON.stringify(world.logged).includes('the private question'));
});

test('hanging up stops the request of the provider, and nothing is kept', async () => {
  const held = Promise.withResolvers<void>();
  await using made = await makeChatWorld([{ text: 'A long answer that goes on', hold: held.promise }]);
  const turn = openTurn(made, made.world.admin, HELLO);
  assert.match(await turn.first, 'event: text');
  turn.leave();
  await made.provider.haveLeft(1);
  held.resolve();
  assert.equal((await made.world.admin.get(LIST)).json, { conversations: [] });
});

test('the first text arrives while the provider still writes', async () => {
  const held = Promise.withResolvers<void>();
  await using made = await makeChatWorld([{ text: 'Hello dear reader', hold: held.promise }]);
  const turn = openTurn(made, made.world.admin, HELLO);
  assert.match(await turn.first, 'Hello');
  held.resolve();
  assert.match(await turn.all, 'event: done');
});

test.run();
