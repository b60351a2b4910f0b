import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AiTool } from '../../src/ai/ai.ts';
import { ServiceError } from '../../src/lib/errors.ts';
import { openScriptedProvider, SCRIPTED_MODEL, type ScriptedKind } from '../support/ai/provider.ts';
import { aiOf, refusalOf, talk, textOf } from '../support/ai/talk.ts';

const KINDS: ScriptedKind[] = ['anthropic', 'openai', 'openai-compatible'];

/** Tools that note their inputs. `fails` refuses. */
function makeTools(): { tools: AiTool[]; inputs: unknown[] } {
  const inputs: unknown[] = [];
  const inputSchema = { type: 'object', properties: { q: { type: 'string' } } };
  const tools: AiTool[] = [
    {
      ...{ name: 'look', description: 'Looks something up.', inputSchema },
      async run(input) {
        inputs.push(input);
        return { found: `<b>${JSON.stringify(input)}</b>` };
      },
    },
    {
      ...{ name: 'fails', description: 'Refuses.', inputSchema },
      async run() {
        throw new ServiceError('forbidden', 'not you');
      },
    },
    { ...{ name: 'much', description: 'Much.', inputSchema }, run: async () => ({ text: 'ü'.repeat(40_000) }) },
  ];
  return { tools, inputs };
}

for (const kind of KINDS) {
  for (const whole of [undefined, true] as const) {
    const name = `${kind}, ${whole ? 'in one piece' : 'streamed'}`;
    const how = whole ? { whole } : {};

    test(`${name}: a text arrives, with what it used`, async () => {
      await using provider = await openScriptedProvider([{ text: 'Good day, reader', ...how }], { kind });
      const ai = aiOf(provider);
      assert.is(ai.model, SCRIPTED_MODEL);
      const events = await talk(ai);
      assert.is(textOf(events), 'Good day, reader');
      const used = { inputTokens: 10, outputTokens: 5 };
      assert.equal(events.slice(-2), [
        { type: 'step', used },
        { type: 'done', used, finish: 'stop' },
      ]);
      assert.is(ai.costUsd(used), 0.00007);
      assert.ok(provider.requests[0]?.stream, 'a stream was asked for');
      assert.is(provider.requests[0]?.system, 'You write.');
    });

    test(`${name}: two calls at once run in order, and their results go back marked`, async () => {
      const calls = [
        { tool: 'look', input: { q: 'a' } },
        { tool: 'look', input: { q: 'b' } },
      ];
      await using provider = await openScriptedProvider(
        [
          { text: 'I look', calls, ...how },
          { text: 'Done', ...how },
        ],
        {
          kind,
        },
      );
      const { tools, inputs } = makeTools();
      const events = await talk(aiOf(provider), { tools });
      assert.equal(inputs, [{ q: 'a' }, { q: 'b' }]);
      assert.equal(
        events.filter(({ type }) => type !== 'text').map(({ type }) => type),
        ['step', 'tool_call', 'tool_result', 'tool_call', 'tool_result', 'step', 'done'],
      );
      assert.equal(events.at(-1), { type: 'done', used: { inputTokens: 20, outputTokens: 10 }, finish: 'stop' });
      assert.equal(provider.refused, []);
      const sent = JSON.stringify(provider.requests[1]?.body);
      assert.match(sent, /<untrusted [0-9a-f]{16} source=\\"tool look\\">/);
    });

    test(`${name}: an unknown tool, arguments that are no JSON and a refusal are results that the model sees`, async () => {
      const calls = [
        { tool: 'format_disk', input: {} },
        ...(whole && kind === 'anthropic' ? [] : [{ tool: 'look', input: '{"q": "hal' }]),
        { tool: 'fails', input: {} },
      ];
      await using provider = await openScriptedProvider(
        [
          { calls, ...how },
          { text: 'I see', ...how },
        ],
        { kind },
      );
      const { tools, inputs } = makeTools();
      const events = await talk(aiOf(provider), { tools });
      const results = events.flatMap((event) => (event.type === 'tool_result' ? [event] : []));
      assert.ok(results.every(({ isError }) => isError));
      const codes = results.map(({ result }) => (result as { code: string }).code);
      assert.equal(codes, ['not_found', ...(calls.length === 3 ? ['invalid_input'] : []), 'forbidden']);
      assert.equal(inputs, []);
      assert.equal(provider.refused, [], 'the calls went back as the API wants them');
      assert.is(textOf(events), 'I see');
    });

    test(`${name}: an empty answer is no answer`, async () => {
      await using provider = await openScriptedProvider([{ ...how }], { kind });
      assert.is((await refusalOf(talk(aiOf(provider)))).code, 'model_output');
    });

    test(`${name}: an answer cut at its limit says so, and its calls do not run`, async () => {
      const calls = [{ tool: 'look', input: { q: 'a' } }];
      await using provider = await openScriptedProvider([{ text: 'So', calls, finish: 'length', ...how }], { kind });
      const { tools, inputs } = makeTools();
      const events = await talk(aiOf(provider), { tools });
      assert.equal(events.at(-1), { type: 'done', used: { inputTokens: 10, outputTokens: 5 }, finish: 'length' });
      assert.equal(inputs, []);
    });
  }

  test(`${kind}: a model that calls for ever ends at the last step`, async () => {
    const turn = { calls: [{ tool: 'look', input: {} }] };
    await using provider = await openScriptedProvider(() => turn, { kind });
    const events = await talk(aiOf(provider), { tools: makeTools().tools, maxSteps: 3 });
    assert.is(provider.requests.length, 3);
    assert.equal(events.at(-1), { type: 'done', used: { inputTokens: 30, outputTokens: 15 }, finish: 'steps' });
  });

  test(`${kind}: a caller may refuse the next step, or limit its tokens`, async () => {
    await using provider = await openScriptedProvider(() => ({ calls: [{ tool: 'look', input: {} }] }), { kind });
    const spent = new ServiceError('conflict', 'the budget is used up');
    const seen: number[] = [];
    const error = await refusalOf(
      talk(aiOf(provider), {
        tools: makeTools().tools,
        async beforeStep({ outputTokens }) {
          seen.push(outputTokens);
          if (outputTokens > 5) throw spent;
          return { maxOutputTokens: 100 - outputTokens };
        },
      }),
    );
    assert.is(error, spent);
    assert.equal(seen, [0, 5, 10]);
    assert.equal(
      provider.requests.map(({ maxTokens }) => maxTokens),
      [100, 95],
    );
  });

  test(`${kind}: a provider that reports no tokens is counted by size`, async () => {
    const turn = { text: 'abcdef', usage: null };
    await using provider = await openScriptedProvider([turn], { kind });
    const step = (await talk(aiOf(provider))).find(({ type }) => type === 'step');
    if (step?.type !== 'step') throw new Error('no step');
    // Anthropic's API always reports them; its script then says 0.
    if (kind !== 'anthropic') assert.is(step.used.outputTokens, 2);
    if (kind !== 'anthropic') assert.ok(step.used.inputTokens > 10);
  });
}

test('an answer that broke off has a step, because it is paid for', async () => {
  await using provider = await openScriptedProvider([{ text: 'a secret answer, cut', overloadedAfter: 2 }]);
  const events: string[] = [];
  let used = 0;
  const talking = async (): Promise<void> => {
    const request = {
      payer: 'agent' as const,
      system: '',
      messages: [{ role: 'user' as const, content: 'Hi' }],
      maxSteps: 1,
    };
    for await (const event of aiOf(provider).converse({ ...request, signal: new AbortController().signal })) {
      events.push(event.type);
      if (event.type === 'step') used = event.used.outputTokens;
    }
  };
  assert.is((await refusalOf(talking())).code, 'provider_busy');
  assert.equal(events, ['begin', 'text', 'text', 'step']);
  assert.is(used, Math.ceil(16 / 3));
});

test('a long result is cut for the model, and says so', async () => {
  await using provider = await openScriptedProvider([{ calls: [{ tool: 'much', input: {} }] }, { text: 'Much' }]);
  await talk(aiOf(provider), { tools: makeTools().tools });
  const sent = provider.requests[1]?.messages.at(-1)?.text ?? '';
  assert.ok(Buffer.byteLength(sent) < 21_000, `${Buffer.byteLength(sent)}`);
  assert.match(sent, /\[cut: this is the first 20480 of 80011 bytes/);
});

test('a bug in a tool is not shown to the model', async () => {
  await using provider = await openScriptedProvider([{ calls: [{ tool: 'broken', input: {} }] }, { text: 'no' }]);
  const bug = new TypeError('x is not a function');
  const broken: AiTool = {
    ...{ name: 'broken', description: 'Broken.', inputSchema: { type: 'object' } },
    run: () => Promise.reject(bug),
  };
  assert.is(await talk(aiOf(provider), { tools: [broken] }).catch((error) => error), bug);
  assert.is(provider.requests.length, 1);
});

test.run();
