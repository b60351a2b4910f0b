// What a provider does wrong, for each of the three APIs.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  openScriptedProvider,
  PROVIDER_KEY,
  SCRIPTED_MODEL,
  type ScriptedKind,
  type ScriptedProvider,
  type ScriptedTurn,
} from '../support/ai/provider.ts';
import { aiOf, ask, refusalOf, talk, textOf, toRequest } from '../support/ai/talk.ts';

const KINDS: ScriptedKind[] = ['anthropic', 'openai', 'openai-compatible'];

/** What a turn must come to, for a conversation and for an object. */
const FAILURES: [name: string, turn: ScriptedTurn, code: string][] = [
  ['401', { status: 401, code: 'authentication_error' }, 'provider_refused'],
  ['403', { status: 403, code: 'permission_error' }, 'provider_refused'],
  ['404', { status: 404, code: 'not_found_error' }, 'provider_refused'],
  ['400 about the length', { status: 400, message: 'prompt is too long: 9 tokens' }, 'too_large'],
  ['400 with the code of the length', { status: 400, code: 'context_length_exceeded' }, 'too_large'],
  ['413', { status: 413, code: 'request_too_large' }, 'too_large'],
  ['429', { status: 429, code: 'rate_limit_error' }, 'provider_busy'],
  ['500', { status: 500 }, 'provider_busy'],
  ['529', { status: 529 }, 'provider_busy'],
  ['a page', { html: '<h1>the secret prompt</h1>' }, 'provider_refused'],
  ['a page with 502', { html: '<h1>Bad gateway</h1>', status: 502 }, 'provider_busy'],
  ['a redirect', { redirect: 'http://127.0.0.1:1/v1' }, 'provider_refused'],
  ['a stream of half a JSON', { raw: 'data: {"id": "the secret answer\n\n' }, 'provider_busy'],
  ['a stream of wrong types', { raw: 'data: {"choices": "the secret answer", "type": 7}\n\n' }, 'provider_busy'],
  ['a stream of nothing', { raw: '' }, 'provider_busy'],
  ['an answer cut at once', { text: 'abc', cutAfter: 0 }, 'provider_busy'],
  ['a cut answer', { text: 'a secret answer that is cut in the middle', cutAfter: 2 }, 'provider_busy'],
  ['a cut answer without its end', { text: '{"title":"a"}', cutAfter: 99 }, 'provider_busy'],
  ['an overloaded stream', { text: 'a secret answer, then none', overloadedAfter: 2 }, 'provider_busy'],
  ['a withheld answer', { text: 'a', finish: 'withheld' }, 'model_output'],
];

/** It begins, and then nothing comes. */
const HELD: ScriptedTurn = { text: 'a beginning...', hold: new Promise(() => {}) };
const SILENT: ScriptedTurn[] = [{ silence: 'before' }, { silence: 'after headers' }, HELD];

for (const kind of KINDS) {
  for (const [name, turn, code] of FAILURES) {
    test(`${kind}: ${name} is ${code}, and nothing of it is repeated`, async () => {
      await using provider = await openScriptedProvider([turn, turn], { kind });
      const ai = aiOf(provider);
      for (const refusal of [await refusalOf(talk(ai)), await refusalOf(ask(ai))]) {
        assert.is(refusal.code, code);
        assert.equal(findSecrets(refusal), []);
      }
      assert.is(provider.requests.length, 2, 'each was asked once');
    });
  }

  test(`${kind}: Retry-After is passed on, in seconds only`, async () => {
    for (const [retryAfter, passed] of [
      ['7', '7'],
      ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
      [undefined, undefined],
    ] as const) {
      const turn = { status: 429, ...(retryAfter ? { retryAfter } : {}) };
      await using provider = await openScriptedProvider([turn], { kind });
      assert.is((await refusalOf(talk(aiOf(provider)))).headers['Retry-After'], passed);
    }
  });

  test(`${kind}: a busy provider is asked as often as is allowed, and no answer twice`, async () => {
    await using provider = await openScriptedProvider([{ status: 529 }, { status: 429 }, { text: 'at last' }], {
      kind,
    });
    assert.is(textOf(await talk(aiOf(provider), { tries: 3 })), 'at last');
    provider.play([{ status: 500 }, { status: 500 }, { status: 500 }, { text: 'too late' }]);
    assert.is((await refusalOf(talk(aiOf(provider), { tries: 3 }))).code, 'provider_busy');
    assert.is(provider.requests.length, 6);
    const heard = Promise.withResolvers<void>();
    provider.play([{ text: 'a beginning, then', cutAfter: 2, hold: heard.promise }, { text: 'again' }]);
    const listening = async (): Promise<void> => {
      for await (const { type } of aiOf(provider).converse(toRequest({ tries: 3 })))
        if (type === 'text') heard.resolve();
    };
    assert.is((await refusalOf(listening())).code, 'provider_busy');
    assert.is(provider.requests.length, 7, 'what was said already is not said again');
    provider.play([{ status: 429, retryAfter: '3600' }, { text: 'in an hour' }]);
    assert.is((await refusalOf(talk(aiOf(provider), { tries: 3 }))).code, 'provider_busy');
    assert.is(provider.requests.length, 8, 'an hour is not waited for');
    provider.play([{ status: 401 }, { text: 'no' }]);
    assert.is((await refusalOf(talk(aiOf(provider), { tries: 3 }))).code, 'provider_refused');
  });

  test(`${kind}: silence has a limit, before the answer and in it, and ends the request`, async () => {
    for (const turn of SILENT) {
      await using provider = await openScriptedProvider(() => turn, { kind });
      await untilItArrives(provider, async (silenceMs) => {
        assert.is((await refusalOf(talk(aiOf(provider, { silenceMs })))).code, 'provider_busy');
      });
      await provider.haveLeft(1);
    }
  });

  test(`${kind}: all in all, a question has a limit too`, async () => {
    await using provider = await openScriptedProvider(() => HELD, { kind });
    await untilItArrives(provider, async (limitMs) => {
      const ai = aiOf(provider, {}, { timeout: limitMs / 1000 });
      assert.is((await refusalOf(talk(ai))).code, 'provider_busy');
    });
    await provider.haveLeft(1);
  });

  test(`${kind}: aborting throws the reason and ends the request`, async () => {
    for (const turn of SILENT) {
      await using provider = await openScriptedProvider([turn], { kind });
      const leaving = new AbortController();
      const reason = new Error('hung up');
      const talking = talk(aiOf(provider), { signal: leaving.signal });
      void provider.haveCome(1).then(() => setTimeout(() => leaving.abort(reason), 30));
      assert.is(await talking.catch((error) => error), reason);
      await provider.haveLeft(1);
    }
  });

  test(`${kind}: a reader that leaves in the middle ends the request`, async () => {
    await using provider = await openScriptedProvider([{ text: 'abcdefgh ijklmnop', hold: new Promise(() => {}) }], {
      kind,
    });
    for await (const event of aiOf(provider).converse(toRequest())) if (event.type === 'text') break;
    await provider.haveLeft(1);
  });

  test(`${kind}: a wrong key is refused, and quoted nowhere`, async () => {
    await using provider = await openScriptedProvider([{ text: 'no' }], { kind });
    provider.keys = { anthropicApiKey: 'sk-wrong-secret', openaiApiKey: 'sk-wrong-secret' };
    const refusal = await refusalOf(talk(aiOf(provider)));
    assert.is(refusal.code, 'provider_refused');
    assert.equal(findSecrets(refusal), []);
    assert.is(provider.requests.length, 0);
  });

  test(`${kind}: a model's name is only ever sent to the site's own provider`, async () => {
    await using provider = await openScriptedProvider([{ text: 'yes' }], { kind });
    await talk(aiOf(provider, {}, { model: 'someone/else-1' }));
    assert.is(provider.requests[0]?.model, 'someone/else-1');
  });
}

test('no failure writes to the console', async () => {
  const { warn, error, log } = console;
  const written: unknown[] = [];
  console.warn = console.error = console.log = (...said) => void written.push(said);
  try {
    for (const kind of KINDS) {
      for (const [, turn] of FAILURES) {
        await using provider = await openScriptedProvider([turn, turn], { kind });
        await refusalOf(talk(aiOf(provider)));
        await refusalOf(ask(aiOf(provider)));
      }
    }
  } finally {
    Object.assign(console, { warn, error, log });
  }
  assert.equal(written, []);
});

test('an address where nobody listens is busy, and a message about it has no address', async () => {
  await using provider = await openScriptedProvider([]);
  const refusal = await refusalOf(talk(aiOf(provider, {}, { baseURL: 'http://127.0.0.1:9/v1' })));
  assert.is(refusal.code, 'provider_busy');
});

test('text beyond any model is refused with its size, and not sent', async () => {
  await using provider = await openScriptedProvider([{ text: 'no' }]);
  const content = 'x'.repeat(5000);
  const refusal = await refusalOf(
    talk(aiOf(provider, { maxSentChars: 4000 }), { messages: [{ role: 'user', content }] }),
  );
  assert.is(refusal.code, 'too_large');
  assert.match(refusal.message, /5\d{3} characters/);
  assert.is(provider.requests.length, 0);
});

/**
 * On a busy machine a short limit may be over before the request has arrived, and what never came can not leave: then it
 * is asked again with a longer one.
 */
async function untilItArrives({ requests }: ScriptedProvider, ask: (limitMs: number) => Promise<void>): Promise<void> {
  for (let limitMs = 50; requests.length === 0; limitMs *= 2) await ask(limitMs);
}

/** Prompt, answer, key and model in all that a logger or an answer could take from an error. */
function findSecrets(error: Error): string[] {
  const seen = new Set<unknown>();
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) visit((value as Record<PropertyKey, unknown>)[key]);
  };
  visit(error);
  const all = texts.join('\n');
  const secrets = ['secret prompt', 'secret answer', PROVIDER_KEY, 'sk-wrong', SCRIPTED_MODEL, 'the script'];
  return secrets.filter((secret) => all.includes(secret));
}

test.run();
