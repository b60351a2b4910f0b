// A draft is saved with values that could not be published, and each door says which they are.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Problem } from '../../../src/lib/errors.ts';
import { CONFIG, makeWorld, type World } from '../../support/world.ts';

const CHECKED = {
  ...CONFIG,
  collections: [
    {
      name: 'people',
      fields: [
        { name: 'title', type: 'text', required: true, minLength: 3, maxLength: 10 },
        { name: 'code', type: 'text', pattern: { value: '^[A-Z]+$', message: 'expected capital letters' } },
        { name: 'rank', type: 'number', min: 1, max: 5 },
        { name: 'mood', type: 'select', options: ['glad', 'grim'] },
        { name: 'moods', type: 'select', multiple: true, options: ['glad', 'grim'] },
        { name: 'mail', type: 'email' },
        { name: 'link', type: 'url' },
        { name: 'colour', type: 'color' },
        { name: 'tags', type: 'tags', max: 1 },
        { name: 'text', type: 'richtext', maxLength: 3 },
        { name: 'parts', type: 'array', fields: [{ name: 'mail', type: 'email' }] },
        { name: 'day', type: 'date' },
        { name: 'friend', type: 'relation', collection: 'people' },
      ],
    },
  ],
} as const;

const WRONG = {
  ...{ title: 'No', code: 'abc', rank: 9, mood: 'sad', moods: ['glad', 'sad'], mail: 'ada@', link: 'example.com' },
  ...{ colour: 'red', tags: ['a', 'b'], text: 'long', parts: [{ mail: 'ada' }] },
};
const PATHS = [
  ...['data.title', 'data.code', 'data.rank', 'data.mood', 'data.moods.1', 'data.mail', 'data.link', 'data.colour'],
  ...['data.tags', 'data.text', 'data.parts.0.mail'],
];
const PEOPLE = '/api/cms/people';

const open = (): Promise<World> => makeWorld({ config: CHECKED as never });
const pathsOf = (problems: Problem[] | undefined): string[] | undefined => problems?.map(({ path }) => path);

test('a draft is saved with every kind of malformed value, and is not published with one', async () => {
  await using world = await open();
  const made = await world.admin.post(PEOPLE, { slug: 'ada', data: WRONG });
  assert.equal([made.status, made.json.data, pathsOf(made.json.warnings)], [200, WRONG, PATHS]);
  const { result, events } = await world.appended(() => world.admin.patch(`${PEOPLE}/ada`, { status: 'published' }));
  assert.equal([result.status, pathsOf(result.json.details), events.length], [400, PATHS, 0]);
  const saved = await world.admin.put(`${PEOPLE}/ada`, { data: { ...WRONG, rank: 2 }, status: 'archived' });
  assert.equal(
    pathsOf(saved.json.warnings),
    PATHS.filter((path) => path !== 'data.rank'),
  );
  const fine = { ...{ title: 'Ada', code: 'A', mood: 'glad', moods: ['glad'], mail: 'a@b.c', link: 'https://b.c' } };
  const mended = { ...fine, colour: '#fff', tags: [], text: '', parts: [] };
  const published = await world.admin.patch(`${PEOPLE}/ada`, { data: mended, status: 'published' });
  assert.equal([published.status, published.json.warnings], [200, undefined]);
  // Formats bind what is published.
  const refused = await world.admin.patch(`${PEOPLE}/ada`, { data: { mail: 'ada@' } });
  assert.equal([refused.status, pathsOf(refused.json.details)], [400, ['data.mail']]);
  assert.is((await world.admin.patch(`${PEOPLE}/ada`, { data: { mail: 'ada@' }, status: 'draft' })).status, 200);
});

test('a type binds a draft too, and so do dates and relations', async () => {
  await using world = await open();
  const data = {
    ...{ title: 7, rank: '1', mood: 1, moods: ['glad', {}], mail: [], link: false, colour: {}, tags: 'a', text: 5 },
    ...{ parts: [{ mail: 1 }], day: 'soon', friend: 'Nobody!' },
  };
  const { status, json } = await world.admin.post(PEOPLE, { data });
  const paths = Object.keys(data).map((key) => ({ moods: 'moods.1', parts: 'parts.0.mail' })[key] ?? key);
  assert.equal([status, pathsOf(json.details)], [400, paths.map((path) => `data.${path}`)]);
});

test('a dry run answers with the warnings of a draft, too', async () => {
  await using world = await open();
  const dry = await world.admin.post(`${PEOPLE}?dryRun=true`, { data: { mail: 'ada' } });
  assert.equal([dry.status, pathsOf(dry.json.warnings)], [200, ['data.mail']]);
});

test('bulk requests save drafts with problems, and refuse to publish them', async () => {
  await using world = await open();
  for (const atomic of [false, true]) {
    const slug = `a-${atomic}`;
    const create = { op: 'create', slug, data: { title: 'Ada', mail: 'ada' } };
    const made = await world.admin.post(`${PEOPLE}/bulk`, { operations: [create], atomic });
    assert.equal(pathsOf(made.json.results[0].warnings), ['data.mail']);
    const publish = await world.admin.post(`${PEOPLE}/bulk`, { operations: [{ op: 'publish', slug }], atomic });
    const refusal = atomic ? publish : { ...publish, ...publish.json.results[0], json: publish.json.results[0] };
    assert.equal(
      [refusal.status, pathsOf(refusal.json.details)],
      [400, [atomic ? 'operations.0.data.mail' : 'data.mail']],
    );
    assert.is((await world.admin.get(`${PEOPLE}/${slug}`)).json.status, 'draft');
  }
});

test('a schedule says what will stop it, and publishes nothing that has a problem', async () => {
  await using world = await open();
  const publishAt = '2026-01-02T04:00:00Z';
  const planned = await world.admin.post(PEOPLE, { slug: 'ada', data: { mail: 'ada' }, publishAt });
  assert.equal(pathsOf(planned.json.warnings), ['data.mail', 'data.title']);
  world.advance(3_600_000);
  const { errors } = await world.site().schedule.publish();
  assert.match(errors.join(), 'people/ada: data.mail');
  assert.is((await world.admin.get(`${PEOPLE}/ada`)).json.status, 'draft');
  assert.match((await world.admin.get('/api/cms/scheduled')).json.events[0].reason, 'data.mail');
});

test('a replayed create has the warnings of the draft', async () => {
  await using world = await open();
  const key = { 'idempotency-key': 'k1' };
  for (let i = 0; i < 2; i++) {
    const { json } = await world.admin.post(PEOPLE, { slug: 'ada', data: { mail: 'ada' } }, key);
    assert.equal(pathsOf(json.warnings), ['data.mail']);
  }
});

test('a draft with a problem is no warning of the service', async () => {
  await using world = await open();
  await world.admin.post(PEOPLE, { slug: 'ada', data: { mail: 'ada' } });
  await world.restart({ forget: true });
  assert.equal((await world.admin.get('/readyz')).json.warnings ?? [], []);
});

test.run();
