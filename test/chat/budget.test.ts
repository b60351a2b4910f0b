// What people may use of the model in a day: reserved before each step, kept over restarts, and refused with the time at
// which it begins anew.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SiteConfigInput } from '../../src/config/site-config.ts';
import { GERMAN, VOICE } from '../brand-voice/world.ts';
import type { ScriptedAnswer } from '../support/ai/script.ts';
import { type Client, CONFIG } from '../support/world.ts';
import { CHAT, type ChatWorld, chat, makeChatWorld, type Turn } from './world.ts';

const DAY_MS = 24 * 3600_000;
const VOICE_PATH = '/api/cms/brand-voice';

type Budget = NonNullable<NonNullable<SiteConfigInput['ai']>['budget']>;

/** Every answer uses as many tokens as its request has bytes, the most that a provider can count. */
async function makeBudgetWorld(
  budget: Budget | undefined,
  answer: ScriptedAnswer | ((bytes: number) => ScriptedAnswer) = { text: 'ok' },
  change: Partial<NonNullable<SiteConfigInput['ai']>> = {},
): Promise<ChatWorld> {
  const made = await makeChatWorld((request) => {
    const inputTokens = Buffer.byteLength(JSON.stringify(request.messages));
    const given = typeof answer === 'function' ? answer(inputTokens) : answer;
    return { usage: { inputTokens, outputTokens: 100 }, ...given };
  });
  const ai = { ...made.provider.ai, ...(budget && { budget }), ...change };
  await made.world.restart({ config: { ...CONFIG, ai } });
  return made;
}

// biome-ignore lint/suspicious/noExplicitAny: the state is looked into by the tests
const budgetOf = async (client: Client): Promise<any> => (await client.get('/api/cms/ai')).json.budget;
const usedIn = (turns: readonly Turn[]): number =>
  turns.reduce((sum, { events }) => {
    const { usage } = events.at(-1)?.data ?? {};
    return sum + (usage ? usage.inputTokens + usage.outputTokens : 0);
  }, 0);

test('a hundred turns of 50 kB at once do not pass the budget of a viewer, and the others still work', async () => {
  await using made = await makeBudgetWorld(undefined);
  const { world, provider } = made;
  const [viewer, other] = [await world.user('viewer'), await world.user('viewer')];
  let left = 100;
  let used = 0;
  const refused: Turn[] = [];
  while (left > 0) {
    const turns = await Promise.all(Array.from({ length: left }, () => chat(viewer, 'x'.repeat(50_000))));
    used += usedIn(turns);
    refused.push(...turns.filter(({ status }) => status === 402));
    // Places for answers are limited too; who found none asks again.
    left = turns.filter(({ status }) => status === 429 || status === 503).length;
    assert.ok(turns.every(({ status, events }) => status !== 200 || events.at(-1)?.event === 'done'));
  }
  assert.ok(used <= 1_000_000 && used > 800_000, String(used));
  assert.ok(refused.length > 75, String(refused.length));
  assert.is(provider.requests.length, 100 - refused.length);
  assert.equal(await budgetOf(viewer), {
    ...{ tokens: { used, limit: 1_000_000 }, usd: { used: (await budgetOf(viewer)).usd.used, limit: null } },
    ...{ siteUsd: { used: (await budgetOf(viewer)).siteUsd.used, limit: null } },
    beginsAnew: '2026-01-03T00:00:00.000Z',
  });
  assert.is((await chat(other, 'Hello')).status, 200);
});

test('a brand voice in a script of many tokens counts as what it may be', async () => {
  await using made = await makeBudgetWorld({ userDailyTokens: 200_000 });
  const { world } = made;
  const avoid = Array.from({ length: 30 }, (_, index) => `${'\u0f40\u0f90\u0fb5'.repeat(99)}${index}`);
  const saved = await world.admin.post(VOICE_PATH, { ...VOICE, avoidTopics: avoid });
  assert.is(saved.status, 200, saved.text);
  const turns = await Promise.all(Array.from({ length: 12 }, () => chat(world.admin, 'hi')));
  assert.ok(turns.some(({ status }) => status === 200) && turns.some(({ status }) => status === 402));
  assert.ok((await budgetOf(world.admin)).tokens.used <= 200_000);
});

test('a budget that is used up is 402 with the time at which it begins anew, over a restart too, until then', async () => {
  await using made = await makeBudgetWorld({ userDailyTokens: 60_000 });
  const { world, provider } = made;
  const viewer = await world.user('viewer');
  while ((await chat(viewer, 'x'.repeat(9000))).status === 200);
  const asked = provider.requests.length;
  assert.ok(asked > 0);
  await world.restart();
  const { status, json, headers } = await viewer.post(CHAT, {
    messages: [{ role: 'user', content: 'x'.repeat(9000) }],
  });
  assert.equal([status, json.code], [402, 'budget_used_up']);
  assert.match(json.error, 'it begins anew at 2026-01-03T00:00:00.000Z');
  const seconds = Number(headers['retry-after']);
  assert.is(
    seconds,
    Math.ceil((Date.parse('2026-01-03T00:00:00.000Z') - Date.parse('2026-01-02T03:04:05.678Z')) / 1000),
  );
  assert.is(provider.requests.length, asked);
  assert.is((await world.admin.get('/api/cms/ai')).json.budget.tokens.used, 0);
  // A token of the same person uses the same budget; no setting of the site moves the day.
  await world.admin.post('/api/admin/site-config', { timezone: 'Pacific/Kiritimati' });
  assert.is((await chat(viewer, 'x'.repeat(9000))).status, 402);
  world.advance(seconds * 1000);
  assert.is((await chat(viewer, 'x'.repeat(9000))).status, 200);
});

test('a session and the tokens of one person share a budget', async () => {
  await using made = await makeBudgetWorld({ userDailyTokens: 60_000 });
  const { world } = made;
  while ((await chat(world.admin, 'x'.repeat(9000))).status === 200);
  // Its instructions are shorter, for it has fewer tools.
  assert.is((await chat(await world.token(['content:read']), 'x'.repeat(15_000))).status, 402);
});

test('dollars are counted for a user and for everybody, and cannot be kept without a price', async () => {
  const price = { inputPerMillion: 10, outputPerMillion: 100 };
  // A step reserves 4096 tokens of answer, some 0.41 dollars, and uses 0.11.
  const answer = { text: 'ok', usage: { inputTokens: 1000, outputTokens: 1000 } };
  await using made = await makeBudgetWorld({ dailyUsd: 1, userDailyUsd: 0.8 }, answer, { price });
  const [one, two] = [await made.world.user('viewer'), await made.world.user('viewer')];
  let count = 0;
  while ((await chat(one, 'Hello')).status === 200) count++;
  const used = (await budgetOf(one)).usd;
  assert.ok(count > 3 && used.used <= 0.8 && used.limit === 0.8, JSON.stringify(used));
  while ((await chat(two, 'Hello')).status === 200);
  const { siteUsd, usd } = await budgetOf(two);
  assert.ok(usd.used < 0.8 && siteUsd.used <= 1 && siteUsd.used > 0.8, JSON.stringify({ siteUsd, usd }));
  assert.match((await two.post(CHAT, { messages: [{ role: 'user', content: 'Hi' }] })).json.error, 'of the site');

  await made.world.restart({ config: { ...CONFIG, ai: { ...withoutPrice(made), budget: { dailyUsd: 1 } } } });
  const { warnings } = (await made.world.admin.get('/api/cms/ai')).json;
  assert.equal(warnings, ['"ai.budget.dailyUsd" cannot be kept: the configuration of the site has no "ai.price"']);
  assert.ok(made.world.logged.some(({ level, msg }) => level === 40 && msg === warnings[0]));
});

function withoutPrice({ provider }: ChatWorld) {
  const { price: _, ...ai } = provider.ai;
  return ai;
}

test('texts, translations and the brand voice use the budget, the translation that a GET makes too', async () => {
  const used = { inputTokens: 5_000, outputTokens: 500 };
  await using made = await makeBudgetWorld({ userDailyTokens: 300_000 });
  const { world, provider } = made;
  const { admin } = world;
  await admin.post('/api/cms/posts', { slug: 'x', data: { title: 'Ebb', seo: { title: 'Old' } } });
  assert.is((await admin.post(VOICE_PATH, VOICE)).status, 200);
  const doors: [string, ScriptedAnswer, () => Promise<{ status: number; text: string }>][] = [
    [
      'generate',
      { text: '{"title":"New"}' },
      () => admin.post('/api/cms/ai/generate', { collection: 'posts', prompt: 'x' }),
    ],
    [
      'rewrite',
      { text: '{"text":"New"}' },
      () => admin.post('/api/cms/ai/rewrite', { collection: 'posts', slug: 'x', field: 'title', instruction: 'x' }),
    ],
    [
      'seo',
      { text: '{"seo":{"title":"New"}}' },
      () => admin.post('/api/cms/ai/seo', { collection: 'posts', slug: 'x' }),
    ],
    // The translated voice is in the prompt of the translation.
    ['voice by GET', { text: JSON.stringify(GERMAN) }, () => admin.get(`${VOICE_PATH}?locale=de`)],
    [
      'translate',
      { text: '{"texts":["Ebbe","Alt"]}' },
      () => admin.post('/api/cms/ai/translate', { collection: 'posts', slug: 'x', locale: 'de' }),
    ],
    ['voice', { text: JSON.stringify(GERMAN) }, () => admin.post(`${VOICE_PATH}/translate`, { locale: 'de' })],
    [
      'interview',
      { text: 'What is your name?' },
      () => admin.post(`${VOICE_PATH}/chat`, { messages: [{ role: 'user', content: 'Hi' }] }),
    ],
  ];
  for (const [name, answer, ask] of doors) {
    const before = (await budgetOf(admin)).tokens.used;
    provider.play([{ ...answer, usage: used }]);
    const { status, text } = await ask();
    assert.is(status, 200, `${name}: ${text}`);
    assert.is((await budgetOf(admin)).tokens.used - before, 5500, name);
  }
  provider.play(() => ({ text: 'ok', usage: { inputTokens: 200_000, outputTokens: 95_000 } }));
  await chat(admin, 'Hello');
  const asked = provider.requests.length;
  for (const [name, , ask] of doors) {
    // The translation of the voice is there by now.
    if (name === 'voice by GET') await admin.post(VOICE_PATH, { ...VOICE, name: 'Other' });
    const { status, text } = await ask();
    assert.is(status, 402, `${name}: ${text}`);
    assert.match(text, 'it begins anew at 2026-01-03T00:00:00.000Z');
  }
  assert.is(provider.requests.length, asked);
});

test('what a step does not use is given back, also if it fails, is stopped or is never answered', async () => {
  await using made = await makeBudgetWorld({ userDailyTokens: 100_000 });
  const { world, provider } = made;
  provider.play([
    { status: 400, message: 'no' },
    { text: 'Done', usage: { inputTokens: 20, outputTokens: 5 } },
  ]);
  assert.is((await chat(world.admin, 'Hello')).events.at(-1)?.event, 'error');
  assert.is((await budgetOf(world.admin)).tokens.used, 0);
  await chat(world.admin, 'Hello');
  assert.is((await budgetOf(world.admin)).tokens.used, 25);
  world.advance(DAY_MS);
  assert.is((await budgetOf(world.admin)).tokens.used, 0);
});

test('a budget of null is no limit', async () => {
  await using made = await makeBudgetWorld(
    { userDailyTokens: null },
    { text: 'ok', usage: { inputTokens: 2e6, outputTokens: 1 } },
  );
  for (let at = 0; at < 2; at++) assert.is((await chat(made.world.admin, 'Hello')).status, 200);
  assert.is((await budgetOf(made.world.admin)).tokens.limit, null);
});

test.run();
