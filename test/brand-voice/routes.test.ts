import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CONFIG, makeWorld } from '../support/world.ts';
import { GERMAN, makeVoiceWorld, PATH, VOICE } from './world.ts';

test('only sessions see the voice: editors read it, admins write it', async () => {
  await using made = await makeVoiceWorld();
  const { world, provider } = made;
  const { json: saved } = await world.admin.post(PATH, VOICE);
  const requests: ['get' | 'post' | 'patch', string, object | undefined, boolean][] = [
    ['get', PATH, undefined, true],
    ['get', `${PATH}?versions=1`, undefined, true],
    ['post', PATH, { name: 'other' }, false],
    ['post', `${PATH}/chat`, { messages: [] }, false],
    ['post', `${PATH}/translate`, { locale: 'de' }, false],
    ['patch', `${PATH}/versions/${saved.id}`, { name: 'other' }, false],
  ];
  const token = await world.token(['content:read', 'content:write', 'org:settings:read', 'org:settings:write']);
  const [editor, author, viewer] = [await world.user('editor'), await world.user('author'), await world.user('viewer')];
  for (const [method, path, body, forEditors] of requests) {
    const ask = (client: typeof editor) => client.request(method.toUpperCase(), path, body);
    assert.is((await ask(world.anonymous)).status, 401, path);
    assert.is((await ask(token)).status, 401, path);
    assert.is((await ask(author)).status, 403, path);
    assert.is((await ask(viewer)).status, 403, path);
    assert.is((await ask(editor)).status, forEditors ? 200 : 403, path);
  }
  assert.is((await world.admin.get(PATH)).json.name, VOICE.name);
  assert.is((await world.admin.get(`${PATH}?versions=1`)).json.versions.length, 1);
  assert.is(provider.requests.length, 0);
});

test('each save is a version; an older one can be activated again and edited', async () => {
  await using made = await makeVoiceWorld();
  const { admin } = made.world;
  assert.is((await admin.get(PATH)).status, 404);
  assert.equal((await admin.get(`${PATH}?versions=1`)).json, { versions: [], activeId: null });
  const first = await admin.post(PATH, VOICE);
  assert.is(first.status, 200, first.text);
  const { id, createdAt, createdBy, updatedAt, ...record } = first.json;
  assert.equal(record, VOICE);
  assert.is(createdBy.name, 'Ada');
  assert.is(createdAt, updatedAt);
  const second = await admin.post(PATH, { ...VOICE, name: 'Second', seoKeywords: [], industry: '' });
  assert.not('seoKeywords' in second.json);
  assert.not('industry' in second.json);
  assert.is((await admin.get(PATH)).json.name, 'Second');
  assert.is((await admin.patch(`${PATH}/versions/${id}`, { action: 'activate' })).json.id, id);
  assert.equal((await admin.get(PATH)).json, first.json);
  const edited = await admin.patch(`${PATH}/versions/${id}`, { name: 'Third', avoidTopics: [] });
  assert.is(edited.json.name, 'Third');
  assert.not('avoidTopics' in edited.json);
  assert.is(edited.json.primaryTone, VOICE.primaryTone);
  await made.world.restart();
  assert.equal((await admin.get(PATH)).json, edited.json);
  const { versions, activeId } = (await admin.get(`${PATH}?versions=1`)).json;
  assert.equal([versions.map((one: { name: string }) => one.name), activeId], [['Third', 'Second'], id]);
});

test('a save and an activation may say which state they are based on, and are refused once it has moved', async () => {
  await using made = await makeVoiceWorld();
  const { admin } = made.world;
  const list = `${PATH}?versions=1`;
  const tagOf = ({ headers }: { headers: object }): string => (headers as { etag: string }).etag;
  const none = tagOf(await admin.get(list));
  assert.match(none, /^"[0-9a-f]+"$/);
  const first = await admin.post(PATH, VOICE, { 'If-Match': none });
  assert.is(first.status, 200, first.text);
  const late = await admin.post(PATH, { ...VOICE, name: 'Late' }, { 'If-Match': none });
  assert.equal([late.status, late.json.code], [412, 'precondition_failed']);
  // Readers and writers get the same tag of the same state.
  const now = tagOf(await admin.get(PATH));
  assert.equal([tagOf(first), tagOf(late), tagOf(await admin.get(list))], [now, now, now]);
  assert.is((await admin.get(list, { 'If-None-Match': now })).status, 304);
  const second = await admin.post(PATH, { ...VOICE, name: 'Second' }, { 'If-Match': now });
  const one = `${PATH}/versions/${first.json.id}`;
  for (const body of [{ action: 'activate' }, { name: 'Edited' }]) {
    assert.is((await admin.patch(one, body, { 'If-Match': now })).status, 412);
  }
  assert.equal((await admin.get(PATH)).json, second.json);
  // An edit of a version that is not active is another state too.
  const edited = await admin.patch(one, { name: 'Edited' }, { 'If-Match': tagOf(second) });
  assert.is(edited.status, 200);
  assert.is((await admin.patch(one, { action: 'activate' }, { 'If-Match': tagOf(second) })).status, 412);
  assert.is((await admin.patch(one, { action: 'activate' }, { 'If-Match': tagOf(edited) })).status, 200);
  // Without a condition it is stored as it is, and `*` wants no state in particular.
  assert.is((await admin.post(PATH, VOICE)).status, 200);
  assert.is((await admin.post(PATH, VOICE, { 'If-Match': '*' })).status, 200);
  assert.is((await admin.get(list)).json.versions.length, 4);
});

test('what is not a record is refused, and leaves nothing', async () => {
  await using made = await makeVoiceWorld();
  const { admin } = made.world;
  const bad = [
    {},
    { language: 'en' },
    { name: '  ' },
    { name: 1 },
    { tone: 'x' },
    { ...VOICE, brandPersonality: ['dry', 'warm'] },
    { ...VOICE, brandPersonality: ['1', '2', '3', '4', '5', '6'] },
    { ...VOICE, language: 'not a tag' },
    { ...VOICE, primaryTone: 'x'.repeat(2001) },
    { ...VOICE, contentPillars: Array.from({ length: 31 }, (_, at) => `${at}`) },
    { ...VOICE, contentGoals: 'teach' },
  ];
  for (const body of bad) assert.is((await admin.post(PATH, body)).status, 400, JSON.stringify(body));
  assert.is((await admin.get(PATH)).status, 404);
  const { json } = await admin.post(PATH, VOICE);
  const one = `${PATH}/versions/${json.id}`;
  for (const body of [
    {},
    { action: 'delete' },
    { action: 'activate', name: 'x' },
    { unknown: 1 },
    { language: 'a b' },
  ]) {
    assert.is((await admin.patch(one, body)).status, 400, JSON.stringify(body));
  }
  const nothing = Object.fromEntries(
    Object.keys(VOICE).map((key) => [key, Array.isArray(VOICE[key as 'name']) ? [] : '']),
  );
  assert.is((await admin.patch(one, nothing)).status, 400);
  assert.is((await admin.patch(`${PATH}/versions/none`, { unknown: 1 })).status, 404);
  assert.equal((await admin.get(PATH)).json, json);
  for (const body of [
    {},
    { messages: [{ role: 'system', content: 'x' }] },
    { messages: [{ role: 'assistant', content: 'x' }] },
  ]) {
    assert.is((await admin.post(`${PATH}/chat`, body)).status, 400, JSON.stringify(body));
  }
});

test('a locale is translated once, and again after a save, an activation or an edit', async () => {
  await using made = await makeVoiceWorld(() => ({ text: JSON.stringify(GERMAN) }));
  const { world, provider } = made;
  const { admin } = world;
  assert.is((await admin.get(`${PATH}?locale=de`)).status, 404);
  const { json: first } = await admin.post(PATH, VOICE);
  assert.is((await admin.get(`${PATH}?locale=EN`)).json.id, first.id);
  assert.is((await admin.get(`${PATH}?locale=not%20one`)).status, 400);
  assert.is((await admin.get(`${PATH}?locale=fr`)).status, 400);
  assert.is(provider.requests.length, 0);
  const asked = await Promise.all([1, 2, 3].map(() => admin.get(`${PATH}?locale=de`)));
  for (const { json, text } of asked) assert.is(json?.primaryTone, GERMAN.primaryTone, text);
  assert.equal([asked[0]?.json.locale, asked[0]?.json.language, asked[0]?.json.versionId], ['de', 'de', first.id]);
  assert.is(provider.requests.length, 1);
  await world.restart();
  await admin.get(`${PATH}?locale=DE`);
  assert.is(provider.requests.length, 1);
  const changes = [
    () => admin.post(PATH, { ...VOICE, name: 'Second' }),
    () => admin.patch(`${PATH}/versions/${first.id}`, { action: 'activate' }),
    () => admin.patch(`${PATH}/versions/${first.id}`, { industry: 'Ships' }),
    () => Promise.resolve(),
  ];
  const counts: number[] = [];
  for (const change of changes) {
    await change();
    await admin.get(`${PATH}?locale=de`);
    counts.push(provider.requests.length);
  }
  assert.equal(counts, [2, 3, 4, 4]);
  assert.is((await admin.post(`${PATH}/translate`, { locale: 'de' })).json.primaryTone, GERMAN.primaryTone);
  assert.is(provider.requests.length, 5);
  for (const [locale, status] of [
    ['en', 409],
    ['fr', 400],
    ['a b', 400],
  ] as const) {
    assert.is((await admin.post(`${PATH}/translate`, { locale })).status, status, locale);
  }
});

test('an answer that does not fit is 502, and nothing is kept of it', async () => {
  const { examplePhrases: _, ...missing } = GERMAN;
  await using made = await makeVoiceWorld(() => ({ text: JSON.stringify(missing) }));
  const { world, provider } = made;
  await world.admin.post(PATH, VOICE);
  const { status, json } = await world.admin.get(`${PATH}?locale=de`);
  assert.equal([status, json.code], [502, 'model_output']);
  assert.is(provider.requests.length, 2);
  provider.play(() => ({ text: JSON.stringify(GERMAN) }));
  assert.is((await world.admin.get(`${PATH}?locale=de`)).status, 200);
});

test('without a provider only what needs a model is 503', async () => {
  await using world = await makeWorld({ config: CONFIG });
  const { admin } = world;
  assert.is((await admin.post(PATH, VOICE)).status, 200);
  assert.is((await admin.get(PATH)).status, 200);
  assert.is((await admin.get(`${PATH}?locale=en`)).status, 200);
  const needing = [
    await admin.get(`${PATH}?locale=de`),
    await admin.post(`${PATH}/translate`, { locale: 'de' }),
    await admin.post(`${PATH}/chat`, { messages: [] }),
  ];
  for (const { status, json } of needing) assert.equal([status, json.code], [503, 'unavailable']);
});

test('a damaged file is not overwritten', async () => {
  await using made = await makeVoiceWorld();
  const { world } = made;
  await world.admin.post(PATH, VOICE);
  const { data } = world.site();
  await data.write('brand-voice.json', '{"activeId": ');
  world.site().brandVoice.reload();
  assert.is((await world.admin.post(PATH, VOICE)).status, 500);
  assert.is(String(await data.read('brand-voice.json')), '{"activeId": ');
  assert.is((await world.admin.get('/api/cms/posts')).status, 200);
});

test.run();
