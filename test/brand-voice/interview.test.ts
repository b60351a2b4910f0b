import { request } from 'node:http';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ScriptedKind } from '../support/ai/provider.ts';
import type { Script } from '../support/ai/script.ts';
import { eventsOf, makeVoiceWorld, PATH, VOICE, type VoiceWorld } from './world.ts';

const SAVE = { text: 'Thank you.', calls: [{ tool: 'save_brand_voice', input: VOICE }] };
const ANSWERS = { messages: [{ role: 'user', content: 'We sell boats' }] };

async function countOf({ world }: VoiceWorld): Promise<number> {
  return (await world.admin.get(`${PATH}?versions=1`)).json.versions.length;
}

for (const kind of ['anthropic', 'openai', 'openai-compatible'] satisfies ScriptedKind[]) {
  test(`${kind}: the interview asks, and its last step saves a version`, async () => {
    await using made = await makeVoiceWorld([{ text: 'What is your brand called?' }, SAVE], { kind });
    const { admin } = made.world;
    const asked = eventsOf((await admin.post(`${PATH}/chat`, { messages: [] })).text);
    assert.is(asked.map(({ data }) => data.text ?? '').join(''), 'What is your brand called?');
    assert.equal(asked.at(-1), {
      event: 'done',
      data: { usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.00007 } },
    });
    assert.is(await countOf(made), 0);
    const ended = eventsOf((await admin.post(`${PATH}/chat`, ANSWERS)).text);
    assert.equal(
      ended.slice(-2).map(({ event }) => event),
      ['saved', 'done'],
    );
    const { version } = ended.at(-2)!.data;
    assert.equal((await admin.get(PATH)).json, version);
    assert.is(version.primaryTone, VOICE.primaryTone);
    assert.is(version.createdBy.name, 'Ada');
    assert.is(made.provider.requests.length, 2);
  });
}

test('a record that does not fit is refused to the model, which gives it again', async () => {
  const wrong = { calls: [{ tool: 'save_brand_voice', input: { ...VOICE, brandPersonality: ['dry'] } }] };
  await using made = await makeVoiceWorld([wrong, SAVE]);
  const events = eventsOf((await made.world.admin.post(`${PATH}/chat`, ANSWERS)).text);
  assert.ok(events.some(({ event }) => event === 'saved'));
  assert.is(await countOf(made), 1);
});

const BROKEN: Record<string, { script: Script; code: string | undefined }> = {
  'the provider breaks off': { script: [{ ...SAVE, cutAfter: 3 }], code: 'provider_busy' },
  'the answer is cut at its limit': {
    script: [{ calls: SAVE.calls, finish: 'length' }],
    code: undefined,
  },
  'the record is half a JSON': {
    script: () => ({ calls: [{ tool: 'save_brand_voice', input: '{"name": "Ti' }] }),
    code: undefined,
  },
  'the provider refuses': { script: [{ status: 401 }], code: 'provider_refused' },
  'another tool is called': { script: () => ({ calls: [{ tool: 'delete_document', input: {} }] }), code: undefined },
};

for (const [name, { script, code }] of Object.entries(BROKEN)) {
  test(`nothing is saved if ${name}`, async () => {
    await using made = await makeVoiceWorld(script);
    const { status, text } = await made.world.admin.post(`${PATH}/chat`, ANSWERS);
    assert.is(status, 200);
    const events = eventsOf(text);
    assert.not(events.some(({ event }) => event === 'saved'));
    if (code) assert.is(events.at(-1)?.data.code, code);
    assert.is(await countOf(made), 0);
  });
}

test('nothing is saved if the person hangs up, and the provider is left', async () => {
  const held = Promise.withResolvers<void>();
  await using made = await makeVoiceWorld([{ ...SAVE, hold: held.promise }]);
  const { world, provider } = made;
  const req = request({
    ...{ host: '127.0.0.1', port: world.port, method: 'POST', path: `${PATH}/chat`, agent: false },
    headers: { ...world.admin.headers, 'content-type': 'application/json' },
  });
  req.on('error', () => {});
  req.end(JSON.stringify(ANSWERS));
  await new Promise<void>((resolve) => req.on('response', (res) => res.once('data', () => resolve())));
  req.destroy();
  await provider.haveLeft(1);
  held.resolve();
  assert.is(await countOf(made), 0);
});

test.run();
