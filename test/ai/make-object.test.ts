import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { z } from 'zod';
import { createAi } from '../../src/ai/service.ts';
import { openScriptedProvider, type ScriptedKind } from '../support/ai/provider.ts';
import { aiOf, ask, refusalOf } from '../support/ai/talk.ts';
import { fetchHost } from '../support/host-fetch.ts';

const KINDS: ScriptedKind[] = ['anthropic', 'openai', 'openai-compatible'];
const GOOD = '{"title":"Low water","rank":null}';

/** What does not fit, and what the model is to read about it. */
const WRONG: [string, string][] = [
  ['', 'not JSON'],
  ['{"title":"Low wa', 'not JSON'],
  ['Here you are: a title', 'not JSON'],
  ['{"title":7}', 'title'],
  ['{"rank":1}', 'title'],
  ['[]', 'object'],
  ['null', 'object'],
  [JSON.stringify({ title: 'x'.repeat(21) }), 'title'],
];

for (const kind of KINDS) {
  for (const whole of [undefined, true] as const) {
    const how = whole ? { whole } : {};
    const name = `${kind}, ${whole ? 'in one piece' : 'streamed'}`;

    test(`${name}: an object arrives without the nulls of what is absent`, async () => {
      await using provider = await openScriptedProvider([{ text: GOOD, ...how }], { kind });
      const { value, used } = await ask(aiOf(provider));
      assert.equal(value, { title: 'Low water' });
      assert.equal(used, { inputTokens: 10, outputTokens: 5 });
    });

    for (const [text, problem] of WRONG) {
      test(`${name}: ${text.slice(0, 20) || 'nothing'} is asked for once more, with the problem, and then refused`, async () => {
        await using provider = await openScriptedProvider(
          [
            { text, ...how },
            { text: GOOD, ...how },
          ],
          { kind },
        );
        assert.equal((await ask(aiOf(provider))).value, { title: 'Low water' });
        const again = provider.requests[1]?.messages.at(-1)?.text ?? '';
        assert.ok(again.includes(problem), again);
        provider.play([
          { text, ...how },
          { text, ...how },
          { text: GOOD, ...how },
        ]);
        assert.is((await refusalOf(ask(aiOf(provider)))).code, 'model_output');
        assert.is(provider.requests.length, 4);
        assert.equal(provider.refused, []);
      });
    }
  }

  test(`${kind}: an answer that is cut at its limit is not asked for again`, async () => {
    await using provider = await openScriptedProvider([{ text: '{"title":"Lo', finish: 'length' }], { kind });
    assert.is((await refusalOf(ask(aiOf(provider)))).code, 'model_output');
    assert.is(provider.requests.length, 1);
  });

  test(`${kind}: further checks count as problems, and both answers are paid for`, async () => {
    await using provider = await openScriptedProvider([{ text: '{"title":"no"}' }, { text: '{"title":"yes"}' }], {
      kind,
    });
    const steps: number[] = [];
    const { value, used } = await ask(aiOf(provider), {
      check: ({ title }) => (title === 'yes' ? [] : ['say yes']),
      afterStep: ({ outputTokens }) => void steps.push(outputTokens),
    });
    assert.equal(value, { title: 'yes' });
    assert.equal(used, { inputTokens: 20, outputTokens: 10 });
    assert.equal(steps, [5, 5]);
  });
}

test('answers of no use are in the log at debug, with what is wrong, and good ones are not', async () => {
  await using provider = await openScriptedProvider([
    { text: '{"title":7}' },
    { text: GOOD },
    { text: '{"title":"Lo', finish: 'length' },
  ]);
  const logged: { answer?: string; problems?: readonly string[] }[] = [];
  const ai = createAi({
    ...{ config: { ai: provider.ai }, keys: provider.keys, fetch: fetchHost },
    logger: { debug: (details) => void logged.push(details) },
  });
  await ask(ai);
  await refusalOf(ask(ai));
  assert.equal(
    logged.map(({ answer }) => answer),
    ['{"title":7}', '{"title":"Lo'],
  );
  assert.match(logged[0]?.problems?.[0] ?? '', /^title: /);
});

test('OpenAI gets a closed schema with strict, or an open one without', async () => {
  await using provider = await openScriptedProvider([{ text: GOOD }, { text: '{"any":{"a":1}}' }], { kind: 'openai' });
  await ask(aiOf(provider));
  const { schema, strict } = provider.requests[0]!;
  assert.ok(strict);
  assert.equal((schema as { required: string[] }).required, ['title', 'rank']);
  const open = z.object({ any: z.record(z.string(), z.unknown()) });
  const { value } = await aiOf(provider).makeObject({
    ...{ payer: 'agent', system: '', prompt: 'x', schema: open, signal: new AbortController().signal },
  });
  assert.equal(value, { any: { a: 1 } });
  assert.not(provider.requests[1]?.strict);
  assert.equal(provider.refused, []);
});

test('a compatible server gets the schema in the prompt, unless its setting says that it takes one', async () => {
  await using provider = await openScriptedProvider([{ text: GOOD }]);
  await ask(aiOf(provider));
  const { system, schema, body } = provider.requests[0]!;
  assert.match(system, /"title":\{"type":"string"/);
  assert.is(schema, undefined);
  assert.equal(body.response_format, { type: 'json_object' });
  await using taking = await openScriptedProvider([{ text: GOOD }], { structured: true });
  await ask(aiOf(taking));
  assert.ok(taking.requests[0]?.schema);
  assert.ok(taking.requests[0]?.strict);
  assert.not.match(taking.requests[0]!.system, /"title"/);
});

test('a code block around the object is taken off', async () => {
  await using provider = await openScriptedProvider([{ text: '```json\n{"title":"Low water"}\n```' }]);
  assert.equal((await ask(aiOf(provider))).value, { title: 'Low water' });
});

test.run();
