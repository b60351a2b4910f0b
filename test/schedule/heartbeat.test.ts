// One beat over several sites: the order of its steps, and what happens if a step fails.
import { setTimeout as later } from 'node:timers/promises';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Beating, createHeartbeat } from '../../src/schedule/heartbeat.ts';
import { NOTHING, type Report, toRan } from '../../src/schedule/report.ts';
import { openSchedule, type Schedule } from '../../src/schedule/service.ts';
import { SYSTEM } from '../content/world.ts';
import { makeWorld, SERVICE_SECRET } from '../support/world.ts';

const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
const now = () => new Date('2026-01-02T03:04:05.678Z');

function makeSite(id: string, steps: Partial<Record<keyof Schedule, Report | Error>>, calls: string[] = []): Beating {
  const step = (name: 'publish' | 'work' | 'updateCalendar') => async (): Promise<Report> => {
    calls.push(`${name} ${id}`);
    const result = steps[name] ?? NOTHING;
    if (result instanceof Error) throw result;
    return result;
  };
  return { id, schedule: { publish: step('publish'), work: step('work'), updateCalendar: step('updateCalendar') } };
}

test('`ran` has the words of the contract in its order, and only for actions that happened', () => {
  assert.equal(toRan([NOTHING]), []);
  const report: Report = {
    published: 3,
    unpublished: 1,
    agents: ['writer', 'editor'],
    jobs: ['link-check', 'backup'],
    isCalendarUpdated: true,
    errors: [],
  };
  assert.equal(toRan([report, { ...NOTHING, published: 2, jobs: ['backup'], agents: ['third'] }]), [
    'published: 5',
    'unpublished: 1',
    'agents: writer, editor, third',
    'backup: completed',
    'link-check: completed',
    'calendar: updated',
  ]);
});

test('steps run one after another at all sites, and a failing step stops nothing else', async () => {
  const calls: string[] = [];
  const sites = [
    makeSite('a', { publish: new Error('broken'), work: { ...NOTHING, jobs: ['backup'] } }, calls),
    { id: 'b', problem: 'its configuration is wrong' },
    makeSite('c', { publish: { ...NOTHING, published: 1, errors: ['published: posts/x: no'] } }, calls),
  ];
  const answer = await createHeartbeat({ sites: () => sites, now, logger })();
  assert.equal(calls, ['publish a', 'publish c', 'work a', 'work c', 'updateCalendar a', 'updateCalendar c']);
  assert.equal(
    { ...answer, durationMs: 0 },
    {
      ok: false,
      durationMs: 0,
      ran: ['published: 1', 'backup: completed'],
      errors: [
        'site: its configuration is wrong (site b)',
        'published: broken (site a)',
        'published: posts/x: no (site c)',
      ],
      timestamp: '2026-01-02T03:04:05.678Z',
    },
  );
});

test('errors do not name the only site', async () => {
  const sites = [makeSite('a', { updateCalendar: new Error('the disk is full') })];
  const { ok, errors } = await createHeartbeat({ sites: () => sites, now, logger })();
  assert.equal([ok, errors], [false, ['calendar: the disk is full']]);
});

test('a beat waits a while for jobs and agents, which hold up nothing, and a later beat reports them', async () => {
  await using world = await makeWorld();
  const site = world.site();
  const backup = Promise.withResolvers<void>();
  const agents = Promise.withResolvers<{ ran: string[]; errors: string[] }>();
  let agentRuns = 0;
  let clockMs = Date.parse('2026-01-01T00:00:00Z');
  const schedule = await openSchedule({
    site,
    actor: SYSTEM,
    describe: () => ({ title: '', collectionLabel: '' }),
    jobs: [{ name: 'backup', label: 'Backup', schedule: () => '0 3 * * *', run: () => backup.promise }],
    agents: {
      runDue: async () => (++agentRuns === 1 ? agents.promise : { ran: [], errors: [] }),
    },
    timezone: () => 'UTC',
    secrets: { secret: async () => 's', rotateSecret: async () => 's' },
    data: site.data.folder('other'),
    now: () => new Date(clockMs),
    logger,
  });
  try {
    const beat = createHeartbeat({ sites: () => [{ id: 'a', schedule }], now, logger, waitMs: 20 });
    clockMs = Date.parse('2026-01-01T03:00:00Z');
    assert.equal((await beat()).ran, ['calendar: updated']);
    const other = Promise.all([beat(), beat()]);
    backup.resolve();
    agents.resolve({ ran: ['writer'], errors: ['editor: no money'] });
    const answers = [...(await other), await beat()];
    assert.is(answers.flatMap(({ ran }) => ran).filter((text) => text === 'backup: completed').length, 1);
    assert.is(answers.flatMap(({ ran }) => ran).filter((text) => text === 'agents: writer').length, 1);
    assert.is(answers.flatMap(({ errors }) => errors).filter((text) => text === 'agents: editor: no money').length, 1);
  } finally {
    await schedule.close();
  }
});

test('a scheduled backup is made on time and reported', async () => {
  await using world = await makeWorld();
  await world.admin.post('/api/cms/posts', { data: { title: 'T' } });
  await world.admin.post('/api/admin/site-config', { backupSchedule: '0 4 * * *', timezone: 'UTC' });
  const beat = () => world.anonymous.get('/api/cms/heartbeat', { 'x-cms-service-token': SERVICE_SECRET });
  await beat();
  assert.equal((await world.admin.get('/api/admin/backups')).json.snapshots, []);
  world.advance(3600_000);
  const { json } = await beat();
  assert.ok(json.ran.includes('backup: completed'), JSON.stringify(json));
  assert.not((await beat()).json.ran.includes('backup: completed'));
  const { snapshots } = (await world.admin.get('/api/admin/backups')).json;
  assert.equal(
    snapshots.map(({ trigger }: { trigger: string }) => trigger),
    ['scheduled'],
  );
});

test('the service runs the heartbeat itself soon after its start, unless CMS_SCHEDULER is off', async () => {
  for (const [scheduler, status] of [
    ['on', 'published'],
    ['off', 'draft'],
  ] as const) {
    await using world = await makeWorld({ env: { CMS_SCHEDULER: scheduler } });
    await world.admin.post('/api/cms/posts', { slug: 'a', data: { title: 'T' }, publishAt: '2026-01-02T04:00:00Z' });
    world.advance(3600_000);
    await world.restart();
    const published = () => world.admin.get('/api/cms/posts/a').then(({ json }) => json.status);
    for (let look = 0; look < 100 && scheduler === 'on' && (await published()) === 'draft'; look++) await later(20);
    assert.is(await published(), status);
  }
});

test.run();
