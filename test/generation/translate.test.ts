import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { textsOf, translator } from '../support/ai/translator.ts';
import { createPost, makeGenerationWorld } from './world.ts';

const PATH = '/api/cms/ai/translate';
const TO_GERMAN = { collection: 'posts', slug: 'tides', locale: 'de' };

test('a translation joins the group of its source, in the same commit, and keeps what is no text', async () => {
  await using made = await makeGenerationWorld(translator());
  const { world } = made;
  const blocks = [{ _block: 'hero', id: 7, heading: 'Hello' }];
  await createPost(world, { mood: 'glad', image: '/uploads/a.png', blocks, own: 'stays' });
  const { result, events } = await world.appended(() => world.admin.post(PATH, { ...TO_GERMAN, apply: true }));
  assert.is(events.length, 1);
  const { json } = result;
  assert.equal(json.data, {
    title: '«Tides»',
    body: '«Some *words* of `code`»',
    rank: 3,
    mood: 'glad',
    image: '/uploads/a.png',
    blocks: [{ _block: 'hero', id: 7, heading: '«Hello»' }],
    own: 'stays',
  });
  const source = (await world.admin.get('/api/cms/posts/tides')).json;
  assert.equal([json.locale, json.translationOf, json.status], ['de', 'tides', 'draft']);
  const meta = (await world.admin.get(`/api/content/posts/${json.slug}/_fieldMeta`)).json;
  assert.equal(Object.keys(meta).sort(), ['blocks', 'body', 'title'], 'a model wrote these, and no others');
  assert.ok(json.translationGroup);
  assert.is(json.translationGroup, source.translationGroup);
  assert.not.equal(json.id, source.id);
});

test('the second translation into a language changes the first one, and only its texts', async () => {
  await using made = await makeGenerationWorld(translator());
  const { world } = made;
  await createPost(world);
  const { slug } = (await world.admin.post(PATH, { ...TO_GERMAN, apply: true })).json;
  await world.admin.patch(`/api/cms/posts/${slug}`, { data: { rank: 9 } });
  await world.admin.patch('/api/cms/posts/tides', { data: { body: 'Other words' } });
  const { json } = await world.admin.post(PATH, TO_GERMAN);
  assert.equal(json.proposal.diff, [{ field: 'body', before: '«Some *words* of `code`»', after: '«Other words»' }]);
  const applied = await world.admin.post(PATH, { ...TO_GERMAN, apply: true });
  assert.equal([applied.json.slug, applied.json.data.rank], [slug, 9]);
  assert.is((await world.admin.get('/api/cms/posts?status=all')).json.total, 2);
});

test('a reviewed translation is made once for its Idempotency-Key, and replaces none that is there', async () => {
  await using made = await makeGenerationWorld(translator());
  const { world, provider } = made;
  await createPost(world);
  const reviewed = { ...TO_GERMAN, apply: true, data: { title: 'Gezeiten', body: 'Worte', rank: 3 } };
  const asNew = (key: string) => ({ 'if-none-match': '*', 'idempotency-key': key });
  const { result, events } = await world.appended(async () => [
    await world.admin.post(PATH, reviewed, asNew('one')),
    await world.admin.post(PATH, reviewed, asNew('one')),
  ]);
  const [first, again] = result;
  assert.is(first?.status, 200, first?.text);
  assert.equal([first?.headers['idempotent-replayed'], again?.headers['idempotent-replayed']], [undefined, 'true']);
  assert.equal(again?.json, first?.json);
  assert.is(events.length, 1);
  const other = await world.admin.post(PATH, { ...reviewed, data: { title: 'Ebbe' } }, asNew('two'));
  assert.is(other.status, 400);
  assert.is(other.json.details[0].path, 'locale');
  assert.is((await world.admin.post(PATH, { ...reviewed, data: {} }, asNew('one'))).status, 422);
  assert.is((await world.admin.get(`/api/cms/posts/${first?.json.slug}`)).json.data.title, 'Gezeiten');
  assert.is(provider.requests.length, 0);
});

test('from a translation another one is made, in the same group', async () => {
  await using made = await makeGenerationWorld(translator());
  const { world } = made;
  await createPost(world);
  const german = (await world.admin.post(PATH, { ...TO_GERMAN, apply: true })).json;
  const from = { collection: 'posts', slug: german.slug, apply: true };
  const brazilian = (await world.admin.post(PATH, { ...from, locale: 'pt-BR' })).json;
  assert.is(brazilian.translationGroup, german.translationGroup);
  const back = (await world.admin.post(PATH, { ...from, locale: 'en' })).json;
  assert.is(back.slug, 'tides');
});

test('a locale that is not well-formed, not of the site or the collection, or the own one is 400', async () => {
  await using made = await makeGenerationWorld(translator());
  const { world, provider } = made;
  await createPost(world);
  await world.admin.post('/api/cms/plain', { slug: 'p', data: { title: 'x' } });
  await world.admin.post('/api/cms/english', { slug: 'e', data: { title: 'x' } });
  for (const locale of ['de_DE!', 'fr', 'en', '']) {
    assert.is((await world.admin.post(PATH, { ...TO_GERMAN, locale })).status, 400, locale);
  }
  assert.is((await world.admin.post(PATH, { collection: 'english', slug: 'e', locale: 'de' })).status, 400);
  assert.is((await world.admin.post(PATH, { collection: 'plain', slug: 'p', locale: 'de' })).status, 409);
  assert.is(provider.requests.length, 0);
});

test('what could not be kept is asked for once more, and then said', async () => {
  const spoil = (text: string): string => (text === 'Tides' ? 'x'.repeat(41) : text.replaceAll(/⟦\d+⟧/g, ''));
  await using made = await makeGenerationWorld(translator(spoil));
  const { world, provider } = made;
  await createPost(world);
  const { json } = await world.admin.post(PATH, TO_GERMAN);
  assert.is(provider.requests.length, 2);
  assert.equal(
    json.warnings.map(({ path }: { path: string }) => path),
    ['data.title', 'data.body'],
  );
  assert.equal([json.proposal.data.title, json.proposal.data.body], ['Tides', 'Some *words* of `code`']);
  provider.play(translator((text, index) => (index === 0 ? '' : `«${text}»`)));
  const again = (await world.admin.post(PATH, TO_GERMAN)).json;
  assert.equal([again.warnings, again.proposal.data.title], [[], '«Tides»']);
});

test('a long document goes in portions, each text once and in order', async () => {
  await using made = await makeGenerationWorld(translator());
  const { world, provider } = made;
  const paragraphs = Array.from({ length: 200 }, (_, at) => `Paragraph ${at} ${'words '.repeat(20)}`.trim());
  await createPost(world, { body: paragraphs.join('\n\n') });
  const { json } = await world.admin.post(PATH, TO_GERMAN);
  assert.is(json.proposal.data.body, paragraphs.map((text) => `«${text}»`).join('\n\n'));
  assert.ok(provider.requests.length > 3, `${provider.requests.length}`);
  assert.equal(provider.requests.flatMap(textsOf), ['Tides', ...paragraphs]);
  assert.is(json.usage.inputTokens, provider.requests.length * 10);
});

test('an answer that is cut at its limit is asked for in halves, and one text that does not fit is 502', async () => {
  const LIMIT = 12;
  const cutting = translator();
  await using made = await makeGenerationWorld((request, index) =>
    textsOf(request).length > LIMIT ? { text: '{"texts":["a', finish: 'length' } : cutting(request, index),
  );
  const { world, provider } = made;
  const paragraphs = Array.from({ length: 40 }, (_, at) => `Paragraph ${at}`);
  await createPost(world, { body: paragraphs.join('\n\n') });
  const { json } = await world.admin.post(PATH, TO_GERMAN);
  assert.is(json.proposal.data.body, paragraphs.map((text) => `«${text}»`).join('\n\n'));
  assert.is(json.usage.outputTokens, provider.requests.length * 5, 'what was cut is paid for too');
  provider.play(() => ({ text: '{"texts":["a', finish: 'length' }));
  const asked = provider.requests.length;
  const refused = await world.admin.post(PATH, TO_GERMAN);
  assert.equal([refused.status, refused.json.code], [502, 'model_output']);
  assert.ok(provider.requests.length - asked <= 7, 'it ends with the first text');
});

test('the other two APIs translate as well', async () => {
  for (const kind of ['anthropic', 'openai'] as const) {
    await using made = await makeGenerationWorld(translator(), { kind });
    await createPost(made.world);
    const { json } = await made.world.admin.post(PATH, TO_GERMAN);
    assert.is(json.proposal.data.title, '«Tides»', kind);
    assert.equal(made.provider.refused, []);
  }
});

test.run();
