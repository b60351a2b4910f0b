import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createAi } from '../../src/ai/service.ts';
import { type AiKeys, toProviderSetup } from '../../src/ai/setup.ts';
import type { SiteConfig } from '../../src/config/site-config.ts';
import { ServiceError } from '../../src/lib/errors.ts';

const setUp = (ai: SiteConfig['ai'], keys: AiKeys = {}) => toProviderSetup(ai, keys);

test('what is missing is named: the setting, or the variable', () => {
  const cases: [SiteConfig['ai'], AiKeys, string[]][] = [
    [undefined, { anthropicApiKey: 'k' }, ['ai.provider', 'ai.model']],
    [{ provider: 'anthropic' }, { anthropicApiKey: 'k' }, ['ai.model']],
    [{ provider: 'anthropic', model: 'm' }, { openaiApiKey: 'k' }, ['ANTHROPIC_API_KEY']],
    [{ provider: 'openai', model: 'm' }, { anthropicApiKey: 'k' }, ['OPENAI_API_KEY']],
    [{ provider: 'openai-compatible', model: 'm' }, {}, ['ai.baseURL', 'OPENAI_BASE_URL']],
  ];
  for (const [ai, keys, names] of cases) {
    const missing = setUp(ai, keys);
    if (typeof missing !== 'string') throw new Error(`nothing is missing in ${JSON.stringify(ai)}`);
    for (const name of names) assert.ok(missing.includes(name), `${missing} names ${name}`);
  }
});

test('without a provider every question is 503, and nothing was loaded', async () => {
  const ai = createAi({ config: {}, keys: {}, fetch, createAsk: () => assert.unreachable() as never });
  const code = (error: unknown): boolean => error instanceof ServiceError && error.code === 'unavailable';
  assert.throws(() => ai.checkReady(), code);
  assert.is(ai.model, undefined);
  const signal = new AbortController().signal;
  const events = ai.converse({ payer: 'agent', system: '', messages: [], maxSteps: 1, signal });
  try {
    for await (const _ of events) assert.unreachable();
    assert.unreachable();
  } catch (error) {
    assert.ok(code(error));
  }
});

test('the address is that of the setting, else of OPENAI_BASE_URL, else of the provider itself', () => {
  const of = (ai: SiteConfig['ai'], keys: AiKeys): unknown => {
    const setup = setUp(ai, keys);
    return typeof setup === 'string' ? setup : setup.baseURL;
  };
  const keys = { openaiApiKey: 'k', anthropicApiKey: 'k', openaiBaseUrl: 'http://env/v1/' };
  assert.is(of({ provider: 'openai', model: 'm', baseURL: 'http://own/v1' }, keys), 'http://own/v1');
  assert.is(of({ provider: 'openai', model: 'm' }, keys), 'http://env/v1');
  assert.is(of({ provider: 'openai-compatible', model: 'm' }, keys), 'http://env/v1');
  assert.is(of({ provider: 'openai', model: 'm' }, { openaiApiKey: 'k' }), 'https://api.openai.com/v1');
  assert.is(of({ provider: 'anthropic', model: 'm' }, keys), 'https://api.anthropic.com/v1');
});

test('a local server needs no key, and takes a schema only if the setting says so', () => {
  const ai = { provider: 'openai-compatible', model: 'm', baseURL: 'http://localhost:1/v1' } as const;
  assert.equal(setUp(ai), { ...base, takesSchema: false });
  assert.equal(setUp({ ...ai, structured: true }), { ...base, takesSchema: true });
});

const base = { kind: 'openai-compatible', model: 'm', baseURL: 'http://localhost:1/v1', apiKey: undefined };

test('a cost follows the price, and is null without one', () => {
  const used = { inputTokens: 1000, outputTokens: 500 };
  const price = { inputPerMillion: 2, outputPerMillion: 10 };
  assert.is(createAi({ config: { ai: { price } }, keys: {}, fetch }).costUsd(used), 0.007);
  assert.is(createAi({ config: {}, keys: {}, fetch }).costUsd(used), null);
});

test.run();
