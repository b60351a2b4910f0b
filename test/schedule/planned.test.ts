// What is planned, for people: documents and jobs in a time, and what is past due.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { makeWorld } from '../support/world.ts';

type Planned = { at: string; kind: string; slug?: string; title?: string; overdue?: true; reason?: string };

test('documents and jobs are listed in order, within the time that is asked for', async () => {
  await using world = await makeWorld({ now: '2026-03-01T00:00:00.000Z' });
  const { admin } = world;
  const create = (slug: string, more: object) => admin.post('/api/cms/posts', { slug, data: { title: slug }, ...more });
  await create('soon', { publishAt: '2026-03-02T09:00:00Z', unpublishAt: '2026-03-09T09:00:00Z' });
  await create('later', { publishAt: '2026-04-02T09:00:00Z' });
  await create('plain', {});
  await admin.post('/api/admin/site-config', { backupSchedule: '0 3 * * *' });
  const planned = async (query = ''): Promise<Planned[]> => {
    const { status, json, text } = await admin.get(`/api/cms/scheduled${query}`);
    assert.is(status, 200, text);
    return json.events;
  };
  const march = await planned('?from=2026-03-01T00:00:00Z&to=2026-03-31T00:00:00Z');
  const documents = march.filter(({ slug }) => slug !== undefined);
  assert.equal(documents, [
    { at: '2026-03-02T09:00:00.000Z', kind: 'publish', collection: 'posts', slug: 'soon', title: 'soon' },
    { at: '2026-03-09T09:00:00.000Z', kind: 'unpublish', collection: 'posts', slug: 'soon', title: 'soon' },
  ]);
  assert.ok(march.some(({ kind, at }) => kind === 'backup' && at === '2026-03-01T03:00:00.000Z'));
  assert.equal(
    march.map(({ at }) => at),
    march.map(({ at }) => at).sort(),
  );
  const all = (await planned()).filter(({ slug }) => slug !== undefined);
  assert.equal(
    all.map(({ slug }) => slug),
    ['soon', 'soon', 'later'],
  );

  world.advance(2 * 86_400_000);
  const [overdue, next] = (await planned()).filter(({ slug }) => slug === 'soon');
  assert.equal([overdue?.kind, overdue?.overdue], ['publish', true]);
  assert.is(next?.overdue, undefined);
});

test('what is past due says why it has not happened, once that was tried', async () => {
  await using world = await makeWorld({ now: '2026-03-01T00:00:00.000Z' });
  await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'A' }, publishAt: '2026-03-02T09:00:00Z' });
  await world.admin.patch('/api/cms/posts/a', { unset: ['title'] });
  world.advance(2 * 86_400_000);
  const find = async (): Promise<Planned | undefined> =>
    (await world.admin.get('/api/cms/scheduled')).json.events.find(({ slug }: Planned) => slug === 'a');
  assert.equal([(await find())?.overdue, (await find())?.reason], [true, undefined]);
  await world.site().schedule.publish();
  assert.match((await find())?.reason ?? '', /title/);
});

test('a wrong time is refused, and so is a caller who may not read drafts', async () => {
  await using world = await makeWorld();
  for (const query of ['from=soon', 'to=2026-03-01', 'from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z']) {
    assert.is((await world.admin.get(`/api/cms/scheduled?${query}`)).status, 400, query);
  }
  assert.is((await world.anonymous.get('/api/cms/scheduled')).status, 401);
  assert.is((await (await world.token(['media:read'])).get('/api/cms/scheduled')).status, 403);
});

test.run();
